import { chmod, copyFile, link, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { syncFolder } from '../../../kernel/files/replace-file.ts'
import type { UpdateNeeds } from '../needs.ts'
import { download, type RemoteFile } from './download.ts'
import { UpdateFailure } from './failure.ts'
import type { Installation } from './installation.ts'
import { type ProgramNeeds, readVersion } from './program.ts'

/** A scanner may hold a new program on Windows for a moment. */
const attempts = process.platform === 'win32' ? 3 : 1
const retryDelayMs = 250

type NativeNeeds = ProgramNeeds & Pick<UpdateNeeds, 'outbound'>

interface NativeRequest {
  readonly version: string
  readonly file: RemoteFile
  onProgress(doneBytes: number, totalBytes: number | undefined): void
  /** Called before the program is replaced. */
  onSwitch(): void
  readonly signal: AbortSignal
}

/**
 * Replaces a single-file program by one rename, and restores the former one unless the new one
 * reports its version. The former one is retained as a backup.
 */
export async function installNative(
  needs: NativeNeeds,
  { launcher }: Pick<Installation, 'launcher'>,
  { version, file, onProgress, onSwitch, signal }: NativeRequest,
): Promise<string> {
  const [next, backup] = [`${launcher}.next`, `${launcher}.previous`]
  await rm(next, { force: true })
  try {
    await download(needs, file, { toFile: next, onProgress, signal })
    await chmod(next, 0o755)
    onSwitch()
    await switchTo(launcher, { next, backup })
  } finally {
    await rm(next, { force: true })
  }
  const restore = async () => {
    await rename(backup, launcher)
    await syncFolder(dirname(launcher))
  }
  const observed = await observe(needs, { program: launcher, version, signal }).catch(
    async (error: unknown) => {
      await restore()
      throw error
    },
  )
  if (observed === version) return observed
  await restore()
  throw new UpdateFailure(
    'verification_failed',
    `${basename(launcher)} does not report the version ${version}. The former program is restored.`,
    { output: observed, observed },
  )
}

interface Files {
  readonly next: string
  readonly backup: string
}

/** At each moment there is a whole program, except on Windows, where a running one is renamed first. */
async function switchTo(launcher: string, { next, backup }: Files): Promise<void> {
  await rm(backup, { force: true })
  if (process.platform === 'win32') {
    await rename(launcher, backup)
    await rename(next, launcher).catch(async (error: unknown) => {
      await rename(backup, launcher)
      throw error
    })
  } else {
    // Some file systems have no links.
    await link(launcher, backup).catch(() => copyFile(launcher, backup))
    await rename(next, launcher)
  }
  await syncFolder(dirname(launcher))
}

interface Observation {
  readonly program: string
  readonly version: string
  readonly signal: AbortSignal
}

async function observe(needs: NativeNeeds, { program, version, signal }: Observation) {
  let observed = ''
  for (let attempt = 1; attempt <= attempts && observed !== version; attempt += 1) {
    if (attempt > 1) await needs.host.sleep(retryDelayMs, signal)
    observed = await readVersion(needs, {
      program,
      cwd: dirname(program),
      isNative: true,
      signal,
    }).catch(explainNotStarted)
  }
  return observed
}

/** A file that is no program is one that reports no version. */
function explainNotStarted(error: unknown): string {
  if (error instanceof Refusal && error.code === 'process_not_started') return error.message
  throw error
}
