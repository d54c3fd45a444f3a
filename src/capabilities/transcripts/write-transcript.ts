import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendLines } from '../../kernel/files/append-lines.ts'
import { lookAt } from './files/look-at.ts'
import { pathOfTranscripts, replaceSession } from './files/transcript-file.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { findWritten, updateWritten } from './store/written.ts'
import type { Transcript } from './transcript.ts'
import type { Written } from './written.ts'

type WriteNeeds = Pick<TranscriptsRuntime, 'db' | 'folder' | 'locks' | 'texts'>

/**
 * Brings what the harness's file holds of this session to what the transcript says. Whether it still
 * counts is asked once nobody else has the file: whoever takes out what an agent has said comes after.
 */
export async function writeTranscript(needs: WriteNeeds, transcript: Transcript): Promise<void> {
  const { db, folder, locks, texts } = needs
  const file = join(folder, pathOfTranscripts(transcript.harness))
  await mkdir(dirname(file), { recursive: true })
  await locks.hold(file, async (lock) => {
    const found = await findWritten(db, transcript)
    if (!found) return
    const written = (await isAsLeft(file, found.written)) ? found.written : undefined
    const { mode, lines, seq } = await texts.plan({ file, transcript, written })
    // Until it is told how it ended, nobody knows what the file holds.
    if (found.written && lines !== '') await updateWritten(db, transcript, undefined)
    await lock.confirm()
    if (mode === 'replace') await replaceSession({ file, lock }, transcript, lines)
    else if (lines !== '') await appendLines(file, [lines])
    const { contentHash: hash, content } = transcript
    const { file: which = file, size } = await lookAt(file)
    await updateWritten(db, transcript, { file: which, hash, length: content.length, seq, size })
  })
}

/** Whether it is the same file, and nothing was taken out of it. */
async function isAsLeft(path: string, written: Written | undefined): Promise<boolean> {
  const { file, size } = await lookAt(path)
  return written !== undefined && written.file === file && written.size <= size
}
