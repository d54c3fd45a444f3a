import { join } from 'node:path'
import { readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
import { listFolder } from '../../../kernel/files/list-folder.ts'
import { replaceFileWith } from '../../../kernel/files/replace-file.ts'
import type { SessionRef } from '../transcript.ts'
import { parseLine, readRecord } from './record.ts'

export interface FileNeeds {
  readonly folder: string
  readonly locks: FileLocks
}

/** Within the workspace. */
export function pathOfTranscripts(harness: string): string {
  return `transcripts/${harness}/transcript.jsonl`
}

/** Writes records, a line each, in the place of all that the file holds of the session. */
export function replaceSession(
  { file, lock }: { readonly file: string; readonly lock: FileLock },
  session: SessionRef,
  lines: string,
): Promise<void> {
  const keep = async (lines: readonly Buffer[]) =>
    lines.filter((line) => readRecord(line, session) === undefined)
  return rewrite(file, lock, { keep, added: lines })
}

interface Keeping {
  readonly agentId: string
  /** Those of these sessions that stay. */
  findKept(keys: readonly string[]): Promise<ReadonlySet<string>>
}

/** Takes out of a harness's file what an agent has said in any other session than those that stay. */
export async function keepOnly(
  { folder, locks }: FileNeeds,
  { agentId, findKept }: Keeping,
  harness: string,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(harness))
  const keep = async (lines: readonly Buffer[]) => {
    const read = lines.map((line) => ({ line, record: parseLine(line) }))
    const keys = read.flatMap(({ record }) =>
      record?.agent_id === agentId ? [record.session_key ?? ''] : [],
    )
    const kept = await findKept([...new Set(keys)])
    return read
      .filter(({ record }) => record?.agent_id !== agentId || kept.has(record.session_key ?? ''))
      .map(({ line }) => line)
  }
  await locks.withLock(file, (lock) => rewrite(file, lock, { keep, added: '' }))
}

/** Those that have a file. */
export async function* listHarnesses(folder: string): AsyncGenerator<string> {
  for await (const entry of listFolder(join(folder, 'transcripts')))
    if (entry.isDirectory()) yield entry.name
}

interface Rewriting {
  /** Of some lines those that stay. */
  keep(lines: readonly Buffer[]): Promise<readonly Buffer[]>
  /** Lines behind them; empty for none. */
  readonly added: string
}

async function rewrite(file: string, lock: FileLock, { keep, added }: Rewriting): Promise<void> {
  await replaceFileWith(file, async (next) => {
    for await (const lines of readLines(file)) {
      const kept = await keep(lines)
      if (kept.length > 0) await next.appendFile(`${kept.join('\n')}\n`)
    }
    if (added !== '') await next.appendFile(`${added}\n`)
    await lock.confirm()
  })
}
