import { createHash } from 'node:crypto'
import { assertPermission } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Memory } from '../memory/index.ts'
import type { HooksConfig } from './config.ts'
import { enter, type Hook, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { toMemoryLine } from './render.ts'
import {
  deleteCursor,
  findCompaction,
  insertCompaction,
  takePendingCompaction,
  updateCompaction,
  upsertPendingCompaction,
} from './store.ts'

interface PreCompaction {
  readonly hook: Hook
  readonly sessionContext?: string | undefined
  readonly transcriptPath?: string | undefined
}

/** What a summary is to keep. */
const defaultGuidelines = `Keep what the next session needs, briefly and in the first person:
- decisions and why they were made
- new information about people, projects and systems
- preferences that were stated
- open threads and what comes next
- errors that were met and how they were fixed`

/** How much newer counts for more than heavier, among the memories that a summary is reminded of. */
const recencyShare = 0.9
const fadingPerDay = 0.95
const dayMs = 86_400_000

/** Says what a summary must keep before a harness forgets its context; the epoch stays. */
export async function prepareCompaction(needs: HooksNeeds, request: PreCompaction) {
  const { hook, sessionContext, transcriptPath } = request
  assertPermission(transcriptPath === undefined ? 'recall' : 'remember', hook.caller)
  const entry = await enter(needs, hook, { noOp: noOps.preCompaction })
  if (entry.status === 'idle') return entry.reply
  await saveCheckpoint(needs, hook, sessionContext)
  const guidelines = toGuidelines(needs.settings().hooks.preCompaction)
  const memories = await listRecent(needs, hook)
  const heading =
    'The context is about to be compacted. Write a summary that keeps all durable memories of this session.'
  const reminded =
    memories.length === 0 ? [] : ['Recent memories:', memories.map(toMemoryLine).join('\n')]
  const summaryPrompt = [heading, guidelines, ...reminded].join('\n\n')
  return { summaryPrompt, guidelines, instructions: summaryPrompt }
}

/** What a summary must keep is told without it as well: the window stays for the next one. */
async function saveCheckpoint(
  { db, host, sessions, log }: HooksNeeds,
  { caller: { agentId }, sessionKey }: Hook,
  context: string | undefined,
): Promise<void> {
  if (sessionKey === undefined) return
  const id = { agentId, sessionKey }
  try {
    await upsertPendingCompaction(db, { ...id, preparedAt: host.now().toISOString() })
    await transaction(db, (db) =>
      sessions.checkpoint(db, {
        ...{ id, trigger: 'pre_compaction', ends: false },
        context: context === undefined ? undefined : toCleanText(context),
      }),
    )
  } catch (error) {
    log.warn({ err: error }, 'a checkpoint before a compaction was not kept')
  }
}

function toGuidelines({
  summaryGuidelines = defaultGuidelines,
  maxSummaryChars: most,
}: HooksConfig['preCompaction']): string {
  return most === undefined
    ? summaryGuidelines
    : `${summaryGuidelines}\nWrite ${most} characters at most.`
}

async function listRecent(needs: HooksNeeds, { caller }: Hook): Promise<readonly Memory[]> {
  const { includeRecentMemories, memoryLimit } = needs.settings().hooks.preCompaction
  if (!includeRecentMemories || memoryLimit === 0) return []
  const now = needs.host.now()
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const pool = await needs.memory.selection.listByDecayedImportance(needs.db, {
    ...{ scope, now, limit: Math.max(100, memoryLimit), minImportance: 0 },
  })
  const weigh = ({ createdAt, importance }: Memory) => {
    const days = Math.max(0, now.getTime() - new Date(createdAt).getTime()) / dayMs
    return recencyShare * fadingPerDay ** days + (1 - recencyShare) * importance
  }
  return pool
    .toSorted((a, b) => weigh(b) - weigh(a) || a.id.localeCompare(b.id))
    .slice(0, memoryLimit)
}

interface Compaction {
  readonly hook: Hook
  readonly summary: string
}

interface Compacted {
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
