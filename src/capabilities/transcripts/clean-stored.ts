import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import type { TextRows } from '../../kernel/db/rewrite-texts.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import {
  createFilesTask,
  createRowsTask,
  type UpgradeTask,
} from '../../kernel/jobs/upgrade-tasks.ts'
import { cleanStoredText } from '../../kernel/redaction/clean-text.ts'
import { type Field, hashBody, normalizeBody, renderArtifact } from './artifact.ts'
import { enqueueCapture } from './capture.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { concurrentUpdate } from './save-snapshot.ts'
import {
  deleteCleanup,
  findCleanup,
  findTranscript,
  listUncleaned,
  updateCleanup,
  updateTranscript,
} from './store/transcripts.ts'
import { hashContent, type SessionRef, type Transcript } from './transcript.ts'

/** Each may be megabytes. */
const batchSize = 20
/** A running session may write at the same time. */
const attempts = 20

/** Cleans texts and files of earlier releases in the background. */
export function createUpgradeCleaning(needs: TranscriptsRuntime) {
  const { background: db } = needs
  const isClean = async () => (await findCleanup(db)) === undefined
  const upgradeTasks: readonly UpgradeTask[] = [
    createRowsTask(db, storedArtifacts),
    cleanArtifactFiles(needs),
    // Complete once `cleanTranscripts` is.
    {
      id: 'clean-transcripts',
      data: 'database',
      run: async () => ((await isClean()) ? undefined : []),
    },
  ]
  return { cleanTranscripts: createCleanup(needs), upgradeTasks }
}

/**
 * Drops injected blocks from the transcripts of earlier releases, a batch each call. The position
 * is
 * saved after each batch, so a restarted daemon continues; a batch may run twice.
 */
function createCleanup(needs: TranscriptsRuntime) {
  let isDone = false
  return async (): Promise<void> => {
    if (isDone) return
    const { background: db } = needs
    const cleanup = await findCleanup(db)
    const sessions = cleanup ? await listUncleaned(db, cleanup, batchSize) : []
    for (const session of sessions) await cleanTranscript(needs, session)
    const last = sessions.at(-1)
    if (last) await updateCleanup(db, last.position)
    else if (cleanup) await deleteCleanup(db)
    isDone = !last
  }
}

async function cleanTranscript(needs: TranscriptsRuntime, session: SessionRef): Promise<void> {
  const { background: db, texts } = needs
  for (let attempt = 0; attempt < attempts; attempt++) {
    const transcript = await findTranscript(db, session)
    if (!transcript) return
    const content = await texts.dropInjected(transcript.content)
    if (content === transcript.content) return
    if (await saveContent(needs, transcript, content)) return
  }
  throw concurrentUpdate()
}

/**
 * Updates the file too, and captures a captured transcript again. False after a concurrent update.
 */
function saveContent(
  needs: TranscriptsRuntime,
  transcript: Transcript,
  content: string,
): Promise<boolean> {
  const contentHash = hashContent(content)
  const changed = { content, contentHash, course: contentHash }
  return transaction(needs.background, async (db) => {
    if (!(await updateTranscript(db, transcript, changed))) return false
    const cleaned = { ...transcript, ...changed }
    if (transcript.completedAt === null)
      await executeBatch(db, [needs.fileWriter.markDirty(db, cleaned)])
    else await enqueueCapture(needs, db, { transcript: cleaned, outcome: 'changed' })
    return true
  })
}

const artifactName = /^\d{4}-[\dTZ.-]+--[a-z2-7]{16}--(?:summary|compaction)\.md$/

const cleanBody = (body: string) => normalizeBody(cleanStoredText(body))

/** Summaries and compactions that an earlier version stored without cleaning. */
export const storedArtifacts: TextRows & { readonly id: string } = {
  id: 'clean-artifacts',
  table: 'memory_artifacts',
  keys: ['agent_id', 'source_path'],
  columns: ['content', 'source_sha256'],
  where: "source_kind in ('summary', 'compaction')",
  rewrite: ([content]) => [cleanBody(content ?? ''), hashBody(cleanBody(content ?? ''))],
}

/** Their files, which contain the same texts. */
export function cleanArtifactFiles({
  folder,
  locks,
}: Pick<TranscriptsNeeds, 'folder' | 'locks'>): UpgradeTask {
  return createFilesTask({
    id: 'clean-artifact-files',
    list: async () => (await listMemory(folder)).filter((name) => artifactName.test(name)),
    rewrite: async (name) => {
      const file = join(folder, 'memory', name)
      await locks.withLock(file, async () => {
        const text = await readFile(file, 'utf8')
        const clean = cleanArtifact(text)
        if (clean !== text) await replaceFile(file, clean)
      })
    },
  })
}

async function listMemory(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(join(folder, 'memory'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** A person may have edited the file: a text without our front matter is cleaned as a whole. */
function cleanArtifact(text: string): string {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text) ?? []
  const fields = head.split('\n').map(readField)
  if (fields.some((field) => field === undefined)) return cleanBody(text)
  const content = cleanBody(body)
  const clean = fields.flatMap((field): Field[] => (field ? [cleanField(field, content)] : []))
  return renderArtifact(clean, content)
}

function readField(line: string): Field | undefined {
  const [, name = '', json = ''] = /^(\w+): (.*)$/.exec(line) ?? []
  try {
    return [name, JSON.parse(json)]
  } catch {
    return undefined
  }
}

function cleanField([name, value]: Field, content: string): Field {
  if (name === 'content_sha256') return [name, hashBody(content)]
  const isText = name === 'memory_sentence' && typeof value === 'string'
  return [name, isText ? cleanStoredText(value) : value]
}
