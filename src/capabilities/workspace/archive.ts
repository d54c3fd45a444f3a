import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, list, type ReadEntry } from 'tar'

/** `manifest.json`, which lists every other file of the archive. */
export interface Manifest {
  readonly format: 1
  readonly version: string
  readonly created_at: string
  readonly files: readonly FileRecord[]
}

interface FileRecord {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export const manifestName = 'manifest.json'

export async function writeArchive(archive: string, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== manifestName)
  const options = { gzip: true, portable: true, cwd: folder, file: archive, mode: 0o600 }
  await create(options, [manifestName, ...names.toSorted()])
}

/** Reads the archive back; throws unless it contains exactly the listed files. */
export async function verifyArchive(archive: string, { files }: Manifest): Promise<void> {
  const digests = new Map<string, string>()
  const entries: Promise<void>[] = []
  const onReadEntry = (entry: ReadEntry) => {
    if (entry.type === 'Directory' || entry.path === manifestName) return entry.resume()
    const hash = createHash('sha256')
    const ended = Promise.withResolvers<void>()
    entries.push(ended.promise)
    entry.on('data', (part) => hash.update(part))
    entry.on('end', () => {
      digests.set(posix.normalize(entry.path), hash.digest('hex'))
      ended.resolve()
    })
  }
  await list({ file: archive, strict: true, onReadEntry })
  await Promise.all(entries)
  const mismatch = files.find(({ path, sha256 }) => digests.get(path) !== sha256)
  if (mismatch) throw new Error(`The archive lacks ${mismatch.path} or differs from it.`)
  if (digests.size !== files.length) throw new Error('The archive contains unlisted files.')
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
