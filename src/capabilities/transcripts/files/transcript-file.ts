import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendLines, readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
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
    const isKept = (line: Buffer) => readRecord(line, transcript) === undefined
    return rewrite(file, lock, { isKept, added })
  })
}

interface Keeping {
  readonly agentId: string
  readonly kept: ReadonlySet<string>
}

/** Takes out what an agent has said in any other session than these. */
export async function keepOnly(
  { folder, locks }: FileNeeds,
  { agentId, kept }: Keeping,
  harness: string,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(harness))
  await mkdir(dirname(file), { recursive: true })
  const isKept = (line: Buffer) => {
    const record = parseLine(line)
    return record?.agent_id !== agentId || kept.has(record.session_key ?? '')
  }
  await locks.hold(file, (lock) => rewrite(file, lock, { isKept, added: [] }))
}

interface Rewriting {
  isKept(line: Buffer): boolean
  /** Lines, or blocks of them. */
  readonly added: readonly string[]
}

async function rewrite(file: string, lock: FileLock, { isKept, added }: Rewriting): Promise<void> {
  await replaceFileBy(file, async (next) => {
    for await (const lines of readLines(file)) {
      const kept = lines.filter(isKept)
      if (kept.length > 0) await next.appendFile(`${kept.join('\n')}\n`)
    }
    if (added.length > 0) await next.appendFile(`${added.join('\n')}\n`)
    await lock.confirm()
  })
}
