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
  /** Null for a project in a temporary folder. */
  readonly memoryId: string | null
  /** Undefined without a session. */
  readonly contextEpoch?: number
}

/** The same summary of the same session within this time is the same compaction. */
const sameWithinMs = 10 * 60_000
const importance = 0.8

/** Saves the summary of a compaction and resets the ledger of the session. */
export async function completeCompaction(needs: HooksNeeds, { hook, ...given }: Compaction) {
  const request = { hook, summary: readSummary(given.summary) }
  const entry = await enter(needs, hook, { noOp: noOps.compactionComplete, refusalDetails: {} })
  if (entry.status === 'idle') return entry.reply
  needs.memory.assertWritable()
  return hook.sessionKey === undefined
    ? saveWithoutSession(needs, request)
    : compact(needs, request, hook.sessionKey)
}

/** A harness may send the model's whole reply, with its reasoning before the summary. */
function readSummary(text: string): string {
  const [, inside = ''] = /<summary>([\s\S]*)<\/summary>/.exec(text) ?? []
  return inside.trim() === '' ? text : inside.trim()
}

/** Without a session there is no ledger to reset. */
async function saveWithoutSession(needs: HooksNeeds, request: Compaction): Promise<Compacted> {
  const { hook } = request
  const summary = toCleanText(request.summary)
  const { agentId } = hook.caller
  const memoryId = await saveMemory(needs, request, hook.project)
  const createdAt = needs.host.now().toISOString()
  const about = {
    ...{ id: needs.host.newId(), agentId, sessionKey: null, sessionId: undefined },
    ...{ harness: hook.harness, project: hook.project, summary, createdAt, memoryId },
  }
  await transaction(needs.db, (db) => saveNode(needs, db, about))
  await saveArtifact(needs, about)
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
  const transcript = await needs.transcripts.findHeader(needs.db, id, 0)
  const project = transcript?.project ?? hook.project
  const memoryId = await saveMemory(needs, request, project)
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
    await saveNode(needs, db, about)
    const contextEpoch = await reset(needs, db, { ...id, nodeId: about.id })
    await updateCompaction(db, { ...compaction, contextEpoch })
    return contextEpoch
  })
  // A concurrent call was first: reply with its result.
  if (contextEpoch === undefined) return compact(needs, request, sessionKey)
  await saveArtifact(needs, about)
  // The ledger in `MEMORY.md` links to the artifact.
  await needs.synthesis.requestRefresh(id.agentId)
  return { success: true, memoryId, contextEpoch }
}

interface ResetInput {
  readonly agentId: string
  readonly sessionKey: string
  /** Of the compaction. */
  readonly nodeId: string
}

/** Archives the transcript and resets the ledger, unless a start after the pre-compaction has reset it. */
async function reset(
  { recall, sessions, transcripts }: HooksNeeds,
  db: Db,
  { nodeId, ...id }: ResetInput,
): Promise<number> {
  await transcripts.archive(db, id)
  await deleteCursor(db, id)
  const preparedAt = await takePendingCompaction(db, id)
  const isReset = preparedAt !== undefined && (await sessions.hasStartedAfter(db, id, preparedAt))
  if (isReset) return recall.findEpoch(db, id)
  await sessions.deleteStarts(db, id)
  return recall.advanceEpoch(db, { ...id, reason: 'compaction-complete', sourceRef: nodeId })
}

/** Each summary of a session becomes one memory. */
async function saveMemory(
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

/** The node and the artifact of a compaction. */
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

async function saveNode(
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

/** A failed artifact write is logged: the summary is already saved. */
async function saveArtifact({ transcripts, log }: HooksNeeds, about: About): Promise<void> {
  const { agentId, sessionKey, sessionId, harness, project } = about
  const { summary: body, createdAt: capturedAt } = about
  try {
    await transcripts.saveArtifact({
      ...{ agentId, sessionKey, sessionId, harness, capturedAt, body, kind: 'compaction' },
      ...{ project: project ?? undefined, sourceNodeId: about.id },
    })
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Error && 'code' in error)) throw error
    log.warn({ err: error }, 'compaction artifact write failed')
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Temporary and fixture folders leave no memories. */
function isNoise(project: string | null): boolean {
  return /^(\/private)?\/(tmp|var\/tmp|var\/folders)(\/|$)|[\\/](__fixtures__|test-fixtures)([\\/]|$)/.test(
    project ?? '',
  )
}
