import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder, makeFolder } from '../files/folders.ts'
import { readText } from '../files/read-text.ts'
import type { Log } from '../log/log.ts'

/** The process groups of this workspace, on disk, so that the next start can end them. */
export interface ChildLedger {
  /** Enters the group that this child leads. Returns the removal of the entry. Never rejects. */
  add(child: LedgerEntry): Promise<() => Promise<void>>
  /** Kills the groups that a killed daemon has left. Requires the lock of the workspace. */
  killLeftovers(): Promise<void>
}

interface LedgerEntry {
  readonly pid: number
  /** For people who read the file; no arguments, no values. */
  readonly purpose: string
}

interface ProcessStat {
  readonly parent: number
  readonly group: number
  /** In clock ticks since the boot. */
  readonly startTime: string
}

/** Without `/proc` there are no entries, because a reused process id could not be recognised. */
export function createChildLedger(folder: string, log: Pick<Log, 'warn'>): ChildLedger {
  const warn = (err: unknown) => log.warn({ err }, 'child ledger not updated')
  return {
    add: async ({ pid, purpose }) => {
      const file = join(folder, String(pid))
      try {
        const [bootId, stat] = [await readBootId(), await readStat(pid)]
        // A child that has ended already may have been replaced by another process.
        if (stat?.parent !== process.pid || stat.group !== pid) return async () => {}
        await makeFolder(folder)
        const { startTime } = stat
        await writeFile(file, JSON.stringify({ startTime, bootId, purpose }), { mode: 0o600 })
      } catch (error) {
        warn(error)
      }
      return () => rm(file, { force: true }).catch(warn)
    },
    killLeftovers: async () => {
      const bootId = await readBootId()
      for await (const { name } of listFolder(folder)) {
        const file = join(folder, name)
        const pid = /^\d+$/.test(name) ? Number(name) : 0
        // A folder or a pipe is no entry.
        const text = await readText(file).catch(() => '')
        if (pid > 1 && (await isSameProcess(pid, { bootId, text }))) killGroup(pid, 'SIGKILL')
        await rm(file, { force: true, recursive: true })
      }
    },
  }
}

async function isSameProcess(
  pid: number,
  { bootId, text }: { readonly bootId: string; readonly text: string },
): Promise<boolean> {
  const stat = await readStat(pid)
  const entry = parseEntry(text)
  return bootId !== '' && entry.bootId === bootId && entry.startTime === stat?.startTime
}

/** A kill during the write leaves an incomplete file. */
function parseEntry(text: string): { readonly bootId?: unknown; readonly startTime?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

async function readBootId(): Promise<string> {
  return (await readText('/proc/sys/kernel/random/boot_id')).trim()
}

/** Undefined if there is no such process, or no `/proc`. */
async function readStat(pid: number): Promise<ProcessStat | undefined> {
  // Only an ended process, or another system, has no readable file.
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program is in brackets and may contain blanks and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [, parent, group] = fields
  const startTime = fields[19]
  if (startTime === undefined) return undefined
  return { parent: Number(parent), group: Number(group), startTime }
}

/** Signals all processes of a group. A group that has ended is no error. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isMissing(error.code))) throw error
  }
}

/** Some systems return EPERM for a group that contains only zombies. */
function isMissing(code: unknown): boolean {
  return code === 'ESRCH' || code === 'EPERM'
}
