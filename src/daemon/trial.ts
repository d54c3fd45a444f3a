import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gt, valid } from 'semver'
import type { Database } from '../kernel/db/database.ts'
import { makeFolder } from '../kernel/files/folders.ts'
import { syncFolder } from '../kernel/files/replace-file.ts'
import type { Host } from '../kernel/host/host.ts'
import type { Log } from '../kernel/log/log.ts'
import { changePointer, findPointer } from '../kernel/versions/pointer.ts'

interface TrialNeeds {
  readonly host: Host
  readonly log: Log
  /** The folder of the package whose launcher was started. */
  readonly root: string
  readonly version: string
  readonly workspace: string
}

/** The steps of a daemon whose version an update has installed and nothing has confirmed yet. */
export interface Trial {
  /** Copies the database, so that a rollback finds it as the previous version left it. */
  beforeMigration(database: Pick<Database, 'backup' | 'file'>): Promise<void>
  /** From here on the daemon accepts writes, so a copy is no longer the whole truth. */
  beforeOpen(): Promise<void>
  /** Makes the version permanent after a minute of service. */
  confirmLater(signal: AbortSignal): void
}

const confirmAfterMs = 60_000

/** For a version without a trial, all steps do nothing. */
export function createTrial({ host, log, root, version, workspace }: TrialNeeds): Trial {
  const isOnTrial = async () => {
    const pointer = await findPointer(root)
    return pointer?.version === version && pointer.state === 'trial' ? pointer : undefined
  }
  return {
    beforeMigration: async ({ backup, file }) => {
      const pointer = await isOnTrial()
      // After a first attempt the copy is the state before it.
      if (!pointer || pointer.migrated) return
      if (file !== undefined) await saveCopy(workspace, version, backup)
      // A server has no copy: a migration there is not undone.
      await changePointer(root, version, { migrated: true, opened: file === undefined })
    },
    beforeOpen: async () => {
      const pointer = await isOnTrial()
      if (pointer?.migrated) await changePointer(root, version, { opened: true })
    },
    confirmLater: (signal) => {
      const confirm = async () => {
        await host.sleep(confirmAfterMs, signal)
        if (signal.aborted || !(await isOnTrial())) return
        await changePointer(root, version, { state: 'good' })
        // It would contain memories that are forgotten later.
        await rm(pathOfCopies(workspace), { recursive: true, force: true })
        log.info({ version }, 'update confirmed')
      }
      confirm().catch((error: unknown) => log.error({ err: error }, 'update not confirmed'))
    },
  }
}

const copyPattern = /^before-(?<version>.+)\.db$/

function pathOfCopies(workspace: string): string {
  return join(workspace, '.daemon', 'update')
}

/** Only the newest copy remains. */
async function saveCopy(
  workspace: string,
  version: string,
  backup: Database['backup'],
): Promise<void> {
  const folder = pathOfCopies(workspace)
  await makeFolder(folder)
  const [copy, draft] = [join(folder, `before-${version}.db`), join(folder, 'draft.db')] as const
  await rm(draft, { force: true })
  await backup(draft)
  for (const name of await readdir(folder)) if (copyPattern.test(name)) await rm(join(folder, name))
  await rename(draft, copy)
  await syncFolder(folder)
}

/**
 * Puts the database back that a newer version copied before it was given up. That version has never
 * accepted a write since. Call it before the database opens.
 */
export async function restoreCopy({ log, root, version, workspace }: TrialNeeds): Promise<void> {
  const folder = pathOfCopies(workspace)
  const pointer = await findPointer(root)
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const copyVersion = valid(copyPattern.exec(name)?.groups?.['version'] ?? null)
    if (copyVersion === null || !gt(copyVersion, version) || pointer?.rolledBack !== copyVersion)
      continue
    const copy = join(folder, name)
    await replaceDatabase(join(workspace, 'memory', 'memories.db'), copy)
    await rm(copy)
    log.warn({ version: copyVersion }, 'update rolled back, database restored')
  }
}

/** The log of the damaged file must not be applied to the copy; a kill repeats the whole step. */
async function replaceDatabase(file: string, copy: string): Promise<void> {
  const next = `${file}.next`
  await copyFile(copy, next)
  for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  await rename(next, file)
  await syncFolder(dirname(file))
}
