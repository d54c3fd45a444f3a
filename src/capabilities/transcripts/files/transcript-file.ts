import { join } from 'node:path'
import { readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
import { listFolder } from '../../../kernel/files/list-folder.ts'
import { replaceFileWith } from '../../../kernel/files/replace-file.ts'
import type { SessionRef } from '../transcript.ts'
import { parseLine, readSessionRecord } from './record.ts'

export interface FileNeeds {
  readonly folder: string
  readonly locks: FileLocks
}

/** Within the workspace. */
export function pathOfTranscripts(harness: string): string {
  return `transcripts/${harness}/transcript.jsonl`
}

/** Replaces all records of the session by the given lines. */
export function replaceSession(
  { file, lock }: { readonly file: string; readonly lock: FileLock },
  session: SessionRef,
  lines: string,
): Promise<void> {
  const retain = async (lines: readonly Buffer[]) =>
    lines.filter((line) => readSessionRecord(line, session) === undefined)
  return rewrite(file, lock, { retain, appended: lines })
}

interface RecordDeletion {
  readonly agentId: string
  /** Those of these sessions that stay. */
  findRetained(keys: readonly string[]): Promise<ReadonlySet<string>>
}

/** Deletes an agent's records from a harness file, except those of retained sessions. */
export async function deleteAgentRecords(
  { folder, locks }: FileNeeds,
  { agentId, findRetained }: RecordDeletion,
  harness: string,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(harness))
  const retain = async (lines: readonly Buffer[]) => {
    const parsed = lines.map((line) => ({ line, record: parseLine(line) }))
    const keys = parsed.flatMap(({ record }) =>
      record?.agent_id === agentId ? [record.session_key ?? ''] : [],
    )
    const retained = await findRetained([...new Set(keys)])
    return parsed
      .filter(
        ({ record }) => record?.agent_id !== agentId || retained.has(record.session_key ?? ''),
      )
      .map(({ line }) => line)
  }
  await locks.withLock(file, (lock) => rewrite(file, lock, { retain, appended: '' }))
}

export async function* listHarnesses(folder: string): AsyncGenerator<string> {
  for await (const entry of listFolder(join(folder, 'transcripts')))
    if (entry.isDirectory()) yield entry.name
}

interface RewriteOptions {
  /** The lines that stay. */
  retain(lines: readonly Buffer[]): Promise<readonly Buffer[]>
  /** Lines to append; may be empty. */
  readonly appended: string
}

async function rewrite(
  file: string,
  lock: FileLock,
  { retain, appended }: RewriteOptions,
): Promise<void> {
  await replaceFileWith(file, async (next) => {
    for await (const lines of readLines(file)) {
      const retained = await retain(lines)
      if (retained.length > 0) await next.appendFile(`${retained.join('\n')}\n`)
    }
    if (appended !== '') await next.appendFile(`${appended}\n`)
    await lock.confirm()
  })
}
