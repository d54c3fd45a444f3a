import { createHash } from 'node:crypto'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import { enter, type Hook } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { noOps } from './no-op.ts'
import {
  deleteCursor,
  findCompaction,
  insertCompaction,
  takePendingCompaction,
  updateCompaction,
} from './store.ts'

export interface Compaction {
  readonly hook: Hook
  readonly summary: string
}

export interface Compacted {
  readonly success: true
  /** Null for a session that only tries something out. */
  readonly memoryId: string | null
  /** Undefined without a session. */
  readonly contextEpoch?: number
}

/** The same summary of the same session within this time is the same compaction. */
const sameWithinMs = 10 * 60_000
const importance = 0.8

/** Keeps the summary a harness goes on with; after it the session is told everything anew. */
export async function completeCompaction(needs: HooksNeeds, { hook, ...given }: Compaction) {
  const request = { hook, summary: readSummary(given.summary) }
  const entry = await enter(needs, hook, { noOp: noOps.compactionComplete, refused: {} })
  if (entry.status === 'idle') return entry.reply
  needs.memory.assertWritable()
  return hook.sessionKey === undefined
    ? keepAlone(needs, request)
    : compact(needs, request, hook.sessionKey)
}

/** A harness may send the model's whole reply, with its reasoning before the summary. */
function readSummary(text: string): string {
  const [, inside = ''] = /<summary>([\s\S]*)<\/summary>/.exec(text) ?? []
  return inside.trim() === '' ? text : inside.trim()
}

/** Of no session: it is kept, and nothing that was told is forgotten for it. */
async function keepAlone(needs: HooksNeeds, request: Compaction): Promise<Compacted> {
  const { hook } = request
  const summary = toCleanText(request.summary)
  const { agentId } = hook.caller
  const memoryId = await keepMemory(needs, request, hook.project)
  const createdAt = needs.host.now().toISOString()
  const about = {
    ...{ id: needs.host.newId(), agentId, sessionKey: null, sessionId: undefined },
    ...{ harness: hook.harness, project: hook.project, summary, createdAt, memoryId },
  }
  await transaction(needs.db, (db) => keepNode(needs, db, about))
  await keepArtifact(needs, about)
  await needs.synthesis.requestRefresh(agentId)
  return { success: true, memoryId }
}

async function compact(
  needs: HooksNeeds,
  request: Compaction,
  sessionKey: string,
): Promise<Compacted> {
  const { hook } = request
  const summary = toCleanText(request.summary)
  const id = { agentId: hook.caller.agentId, sessionKey }
  const summaryHash = hashOf(summary)
  const now = needs.host.now()
  const after = new Date(now.getTime() - sameWithinMs).toISOString()
  const before = await findCompaction(needs.db, id, { summaryHash, after })
  if (before) return { success: true, memoryId: before.memoryId, contextEpoch: before.contextEpoch }
  const transcript = await needs.transcripts.findOrigin(needs.db, id)
  const project = transcript?.project ?? hook.project
  const memoryId = await keepMemory(needs, request, project)
  const createdAt = now.toISOString()
  const sessionId = transcript?.sessionId ?? undefined
  const about = {
    ...{ id: `${sessionKey}:compaction:${now.getTime()}`, ...id, sessionId },
    ...{ harness: hook.harness, project, summary, createdAt, memoryId },
  }
  const contextEpoch = await transaction(needs.db, async (db) => {
    const compaction = { ...id, summaryHash, contextEpoch: 0 }
    const isFirst = await insertCompaction(db, { ...compaction, memoryId, createdAt }, after)
    if (!isFirst) return undefined
    await keepNode(needs, db, about)
    const contextEpoch = await reset(needs, db, { ...id, nodeId: about.id })
    await updateCompaction(db, { ...compaction, contextEpoch })
    return contextEpoch
  })
  // Of those who tell it at once one was first, and the others are answered as it was.
  if (contextEpoch === undefined) return compact(needs, request, sessionKey)
  await keepArtifact(needs, about)
  // Its file is one that the ledger of `MEMORY.md` tells of.
  await needs.synthesis.requestRefresh(id.agentId)
  return { success: true, memoryId, contextEpoch }
}

interface Resetting {
  readonly agentId: string
  readonly sessionKey: string
  /** Of the compaction. */
  readonly nodeId: string
}

/**
 * Archives what was said so far, and lets nothing that was told count. A start after the
 * pre-compaction has done the latter: what it told stays told.
 */
async function reset(
  { recall, sessions, transcripts }: HooksNeeds,
  db: Db,
  { nodeId, ...id }: Resetting,
): Promise<number> {
  await transcripts.archive(db, id)
  await deleteCursor(db, id)
  const preparedAt = await takePendingCompaction(db, id)
  const isReset = preparedAt !== undefined && (await sessions.wasStartedAfter(db, id, preparedAt))
  if (isReset) return recall.findEpoch(db, id)
  await sessions.forgetStarts(db, id)
  return recall.advanceEpoch(db, { ...id, reason: 'compaction-complete', sourceRef: nodeId })
}

/** A session has many summaries, each once. */
async function keepMemory(
  { memory }: HooksNeeds,
  { hook, summary }: Compaction,
  project: string | null,
): Promise<string | null> {
  const { caller, harness, sessionKey } = hook
  if (isNoise(project)) return null
  const { memory: kept } = await memory.remember(caller, {
    ...{ content: summary, type: 'session_summary', importance, who: 'system' },
    tags: ['session', 'summary', harness.toLowerCase()],
    ...{ sourceType: harness, sessionId: sessionKey, project: project ?? undefined },
    ...{ sourceId: sessionKey, sourcePart: hashOf(summary) },
    visibility: 'global',
  })
  return kept.id
}

/** What is kept of a compaction besides its memory. */
interface About extends Pick<Compacted, 'memoryId'> {
  /** Of its node. */
  readonly id: string
  readonly agentId: string
  readonly sessionKey: string | null
  readonly sessionId: string | undefined
  readonly harness: string
  readonly project: string | null
  readonly summary: CleanText
  readonly createdAt: string
}

async function keepNode(
  { transcripts }: HooksNeeds,
  db: Db,
  { agentId, id, memoryId, ...about }: About,
): Promise<void> {
  const { sessionKey, harness, project, summary: content, createdAt } = about
  const node = { agentId, id }
  await transcripts.saveSummary(db, {
    ...{ ...node, sessionKey, harness, project, content, createdAt },
    ...{ depth: 0, kind: 'session', sourceType: 'compaction', sourceRef: sessionKey },
    ...{ tokenCount: Math.ceil(content.length / 4), earliestAt: createdAt, latestAt: createdAt },
    metaJson: JSON.stringify({ source: 'compaction-complete' }),
  })
  if (memoryId !== null) await transcripts.linkMemories(db, node, [memoryId])
}

/** The file is for people: what is kept does not hang on it. */
async function keepArtifact({ transcripts, log }: HooksNeeds, about: About): Promise<void> {
  const { agentId, sessionKey, sessionId, harness, project } = about
  const { summary: body, createdAt: capturedAt } = about
  try {
    await transcripts.saveArtifact({
      ...{ agentId, sessionKey, sessionId, harness, capturedAt, body, kind: 'compaction' },
      ...{ project: project ?? undefined, sourceNodeId: about.id },
    })
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Error && 'code' in error)) throw error
    log.warn({ err: error }, 'a compaction was not written to its file')
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A project below a folder for temporary files tries something out: it leaves no memory. */
function isNoise(project: string | null): boolean {
  return /^(\/private)?\/(tmp|var\/tmp|var\/folders)(\/|$)|[\\/](__fixtures__|test-fixtures)([\\/]|$)/.test(
    project ?? '',
  )
}
