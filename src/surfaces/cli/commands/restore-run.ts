import { mkdtemp, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { extract } from 'tar'
import { type Manifest, readArchive, verifyFiles } from '../archive.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { isMissing } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { busyWith } from '../progress.ts'

export interface RestoreOptions {
  readonly into: string
}

export async function restore({ args, options, output }: Call<RestoreOptions>): Promise<void> {
  const archive = resolve(args[0] ?? '')
  const folder = resolve(options.into)
  await assertEmpty(folder)
  const { files } = await busyWith(output, 'Restoring', () => unpack(archive, folder))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  output.result({ folder, files: files.length, bytes }, () => {
    const next = `  Start on it with: SVC_PATH=${folder} reverie start`
    return `${colors.green('✓')} ${files.length} files are in ${folder}, all verified\n${next}`
  })
}

async function assertEmpty(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  const hint = 'Use a new folder: a restore never overwrites files.'
  throw new CliError('conflict', 'not_empty', `${folder} is not empty`, hint)
}

/** The folder appears when all of it is verified, or not at all. */
async function unpack(archive: string, folder: string): Promise<Manifest> {
  const manifest = await readArchive(archive)
  const unfinished = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`)).catch(
    (error) => {
      throw new CliError('usage', 'no_folder', `the folder cannot be created: ${error.message}`)
    },
  )
  try {
    await assertFits(manifest, unfinished)
    const listed = new Set(manifest.files.map(({ path }) => path))
    await extract({
      file: archive,
      cwd: unfinished,
      strict: true,
      filter: (path) => listed.has(path.replace(/^\.\//, '')),
    })
    await verifyFiles(unfinished, manifest)
    await rmdir(folder).catch((error) => {
      if (!isMissing(error)) throw error
    })
    await rename(unfinished, folder)
    return manifest
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function assertFits({ files }: Manifest, folder: string): Promise<void> {
  const needed = files.reduce((sum, { size }) => sum + size, 0)
  const { bavail, bsize } = await statfs(folder)
  if (needed > bavail * bsize)
    throw new CliError(
      'refused',
      'no_space',
      `the backup needs ${needed} bytes, ${bavail * bsize} are free`,
    )
}
