import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendLines, readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
import { listFolder } from '../../../kernel/files/list-folder.ts'
import { replaceFileBy } from '../../../kernel/files/replace-file.ts'
import type { Texts } from '../texts.ts'
import type { Transcript } from '../transcript.ts'
import { parseLine, readRecord } from './record.ts'

export interface FileNeeds {
  readonly folder: string
  readonly locks: FileLocks
}

/** Within the workspace. */
export function pathOfTranscripts(harness: string): string {
  return `transcripts/${harness}/transcript.jsonl`
}

/**
 * Brings what the harness's file holds of this session to what the transcript says. Whether it still
 * counts is asked once nobody else has the file: whoever takes out what an agent has said comes after.
 */
export async function writeTranscript(
  { folder, locks, texts }: FileNeeds & { readonly texts: Pick<Texts, 'plan'> },
  transcript: Transcript,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(transcript.harness))
  await mkdir(dirname(file), { recursive: true })
  await locks.hold(file, async (lock) => {
    if (!(await isThere())) return
    const { mode, lines } = await texts.plan({ file, transcript })
    const added = lines === '' ? [] : [lines]
    await lock.confirm()
    if (mode === 'append') return appendLines(file, added)
    const keep = async (lines: readonly Buffer[]) =>
      lines.filter((line) => readRecord(line, transcript) === undefined)
    return rewrite(file, lock, { keep, added })
  })
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
  await locks.hold(file, (lock) => rewrite(file, lock, { keep, added: [] }))
}

/** Those that have a file. */
export async function* listHarnesses(folder: string): AsyncGenerator<string> {
  for await (const entry of listFolder(join(folder, 'transcripts')))
    if (entry.isDirectory()) yield entry.name
}

interface Rewriting {
  /** Of some lines those that stay. */
  keep(lines: readonly Buffer[]): Promise<readonly Buffer[]>
  /** Lines, or blocks of them. */
  readonly added: readonly string[]
}

async function rewrite(file: string, lock: FileLock, { keep, added }: Rewriting): Promise<void> {
  await replaceFileBy(file, async (next) => {
    for await (const lines of readLines(file)) {
      const kept = await keep(lines)
      if (kept.length > 0) await next.appendFile(`${kept.join('\n')}\n`)
    }
    if (added.length > 0) await next.appendFile(`${added.join('\n')}\n`)
    await lock.confirm()
  })
}
