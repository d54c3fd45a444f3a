import { hash } from 'node:crypto'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { SessionId } from '../sessions/index.ts'
import { enter, type Hook, type HookRequest, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import type { compactionBody } from './schemas.ts'
import {
  deleteCursor,
  findCompaction,
  insertCompaction,
  takePendingCompaction,
  updateCompaction,
} from './store.ts'

/** The same summary of the same session within this time is the same compaction. */
const sameWithinMs = 10 * 60_000
const importance = 0.8

interface Compacted {
  readonly success: true
  /** Null for a project in a temporary folder. */
  readonly memoryId: string | null
  /** Undefined without a session. */
  readonly contextEpoch?: number
}

/** Saves the summary of a compaction and resets the ledger of the session. */
export async function completeCompaction(
  needs: HooksNeeds,
  { hook, ...body }: HookRequest<typeof compactionBody>,
) {
  const summary = readSummary(toCleanText(body.summary))
  const entry = await enter(needs, hook, { noOp: noOps.compactionComplete, refusalDetails: {} })
  if (entry.status === 'idle') return entry.reply
  needs.memory.assertWritable()
  const { sessionKey } = hook
  return sessionKey === undefined
    ? saveWithoutSession(needs, hook, summary)
    : compact(needs, { ...hook, sessionKey }, summary)
}

/** A harness may send the complete reply of the model, with its reasoning before the summary. */
function readSummary(text: string): CleanText {
  const [, inside = ''] = /<summary>([\s\S]*)<\/summary>/.exec(text) ?? []
  return toCleanText(inside.trim() === '' ? text : inside.trim())
}

/** The node and the artifact of a compaction. */
interface Compaction extends Pick<Compacted, 'memoryId'> {
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

/** Without a session there is no ledger to reset. */
async function saveWithoutSession(
  needs: HooksNeeds,
  hook: Hook,
  summary: CleanText,
): Promise<Compacted> {
  const { caller, harness, project } = hook
  const memoryId = await saveMemory(needs, hook, { project, summary })
  const compaction = {
    id: needs.host.newId(),
    agentId: caller.agentId,
    sessionKey: null,
    sessionId: undefined,
    harness,
    project,
    summary,
    createdAt: needs.host.now().toISOString(),
    memoryId,
  }
  await transaction(needs.db, (db) => saveNode(needs, db, compaction))
  await saveArtifact(needs, compaction)
  return { success: true, memoryId }
}

async function compact(
  needs: HooksNeeds,
  hook: Hook & Pick<SessionId, 'sessionKey'>,
  summary: CleanText,
): Promise<Compacted> {
  const { caller, sessionKey, harness } = hook
  const session = { agentId: caller.agentId, sessionKey }
  const summaryHash = hash('sha256', summary)
  const now = needs.host.now()
  const createdAt = now.toISOString()
  const after = new Date(now.getTime() - sameWithinMs).toISOString()
  const previous = await findCompaction(needs.db, session, { summaryHash, after })
  if (previous) {
    const { memoryId, contextEpoch } = previous
    return { success: true, memoryId, contextEpoch }
  }
  const transcript = await needs.transcripts.findHeader(needs.db, session, 0)
  const project = transcript?.project ?? hook.project
  const sessionId = transcript?.sessionId ?? undefined
  const memoryId = await saveMemory(needs, hook, { project, summary })
  const id = `${sessionKey}:compaction:${now.getTime()}`
  const compaction = { ...session, id, sessionId, harness, project, summary, createdAt, memoryId }
  const contextEpoch = await transaction(needs.db, async (db) => {
    const row = { ...session, summaryHash, contextEpoch: 0 }
    if (!(await insertCompaction(db, { ...row, memoryId, createdAt }, after))) return undefined
    await saveNode(needs, db, compaction)
    const contextEpoch = await reset(needs, db, { ...session, nodeId: id })
    await updateCompaction(db, { ...row, contextEpoch })
    return contextEpoch
  })
  // A concurrent call was first: reply with its result.
  if (contextEpoch === undefined) return compact(needs, hook, summary)
  await saveArtifact(needs, compaction)
  return { success: true, memoryId, contextEpoch }
}

/** Archives the transcript and resets the ledger, unless a start after the pre-compaction has reset it. */
async function reset(
  { recall, sessions, transcripts }: HooksNeeds,
  db: Db,
  { nodeId, ...id }: SessionId & { readonly nodeId: string },
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
  { caller, harness, sessionKey }: Hook,
  { project, summary }: Pick<Compaction, 'project' | 'summary'>,
): Promise<string | null> {
  if (isTemporary(project)) return null
  const saved = await memory.remember(caller, {
    content: summary,
    type: 'session_summary',
    importance,
    who: 'system',
    tags: ['session', 'summary', harness.toLowerCase()],
    sourceType: harness,
    sessionId: sessionKey,
    project: project ?? undefined,
    sourceId: sessionKey,
    sourcePart: hash('sha256', summary),
    visibility: 'global',
  })
  return saved.memory.id
}

async function saveNode(
  { transcripts }: HooksNeeds,
  db: Db,
  { sessionId, memoryId, summary: content, ...node }: Compaction,
): Promise<void> {
  await transcripts.saveSummary(db, {
    ...node,
    content,
    depth: 0,
    kind: 'session',
    sourceType: 'compaction',
    sourceRef: node.sessionKey,
    tokenCount: Math.ceil(content.length / 4),
    earliestAt: node.createdAt,
    latestAt: node.createdAt,
    metaJson: JSON.stringify({ source: 'compaction-complete' }),
  })
  if (memoryId !== null) await transcripts.linkMemories(db, node, [memoryId])
}

/** Writes the artifact, to which the ledger in `MEMORY.md` links. A failed write is logged. */
async function saveArtifact(
  { transcripts, synthesis, log }: HooksNeeds,
  { id, agentId, sessionKey, sessionId, harness, ...compaction }: Compaction,
): Promise<void> {
  try {
    await transcripts.saveArtifact({
      agentId,
      sessionKey,
      sessionId,
      harness,
      kind: 'compaction',
      project: compaction.project ?? undefined,
      body: compaction.summary,
      capturedAt: compaction.createdAt,
      sourceNodeId: id,
    })
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Error && 'code' in error)) throw error
    log.warn({ err: error }, 'compaction artifact write failed')
  }
  await synthesis.requestRefresh(agentId)
}

/** Temporary and fixture folders leave no memories. */
function isTemporary(project: string | null): boolean {
  return /^(\/private)?\/(tmp|var\/tmp|var\/folders)(\/|$)|[\\/](__fixtures__|test-fixtures)([\\/]|$)/.test(
    project ?? '',
  )
}
