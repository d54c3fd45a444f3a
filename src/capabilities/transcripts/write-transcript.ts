import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '../../kernel/db/database.ts'
import { appendLines } from '../../kernel/files/append-lines.ts'
import { lookAt } from './files/look-at.ts'
import { pathOfTranscripts, replaceSession } from './files/transcript-file.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findRest } from './store/transcripts.ts'
import { type Behind, findWritten, forgetWritten, updateWritten } from './store/written.ts'
import type { Texts } from './texts.ts'
import type { Written } from './written.ts'

type WriteNeeds = Pick<TranscriptsNeeds, 'background' | 'folder' | 'host' | 'locks'> & {
  readonly texts: Pick<Texts, 'plan'>
}

/**
 * Brings what the harness's file holds of this session to what was said in it, and gives the hash of
 * that. Whether it still counts is asked once nobody else has the file: whoever takes out what an agent
 * has said comes after; then it is undefined.
 */
export async function writeTranscript(
  needs: WriteNeeds,
  session: Behind,
): Promise<string | undefined> {
  const { background: db, folder, locks, texts, host } = needs
  const file = join(folder, pathOfTranscripts(session.harness))
  await mkdir(dirname(file), { recursive: true })
  return locks.withLock(file, async (lock) => {
    const { written: known, wantedHash } = await findWritten(db, session)
    const written = (await isAsLeft(file, known)) ? known : undefined
    const unwritten = await readUnwritten(db, session, written)
    if (!unwritten) return undefined
    const { transcript, after } = unwritten
    const { mode, lines, seq } = await texts.plan({ file, transcript, after })
    // Until it is told how it ended, nobody knows what the file holds.
    if (known && lines !== '') await forgetWritten(db, session)
    await lock.confirm()
    if (mode === 'replace') await replaceSession({ file, lock }, session, lines)
    else if (lines !== '') await appendLines(file, [lines])
    const { file: which = file, size } = await lookAt(file)
    const { course, length, contentHash: writtenHash } = transcript
    const updatedAt = host.now().toISOString()
    const noted = { file: which, course, length, seq, size }
    await updateWritten(db, session, { written: noted, writtenHash, wantedHash, updatedAt })
    return writtenHash
  })
}

/** Of a session that only went on what came to it; of any other all that was said. */
async function readUnwritten(db: Db, session: Behind, written: Written | undefined) {
  const news = written && (await findRest(db, session, written.length))
  if (written && news?.course === written.course) return { transcript: news, after: written.seq }
  const transcript = await findRest(db, session, 0)
  return transcript && { transcript, after: undefined }
}

/** Whether it is the same file, and nothing was taken out of it. */
async function isAsLeft(path: string, written: Written | undefined): Promise<boolean> {
  const { file, size } = await lookAt(path)
  return written !== undefined && written.file === file && written.size <= size
}
