import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { EvidenceEntry } from '../evidence/evidence.ts'
import type { Scan } from '../evidence/scan.ts'
import { collectWindow, type WindowSource } from '../evidence/window.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass, PassWriter, StagedOperation } from '../pass.ts'
import { createRunbookWriter } from '../runbook.ts'
import { listPendingAttention } from '../store/attention.ts'
import { listPasses } from '../store/passes.ts'
import type { AttentionRow } from '../store/rows.ts'
import { converse, type Ending, type Stage } from './conversation.ts'
import { createFence } from './fence.ts'
import { createMeter } from './meter.ts'
import { composeSystem, composeTask } from './prompt.ts'
import { indexEntities } from './staged-payload.ts'
import { createStager } from './stager.ts'

/** What the model stage of a pass has done. */
export interface ModelResult {
  readonly operations: readonly StagedOperation[]
  /** Sources that the model has read. */
  readonly read: readonly WindowSource[]
  readonly absent: readonly EvidenceEntry[]
  readonly status: 'completed' | 'stopped' | 'failed'
  readonly stoppedBy: string | null
  readonly error: string | null
}

interface Request {
  readonly scan: Scan
  /** What the rules have staged. */
  readonly planned: readonly StagedOperation[]
  readonly signal: AbortSignal
}

const maxNames = 20_000
const maxAttention = 20
/** Characters of evidence in one conversation. */
const maxPartChars = 24_000
const charactersPerToken = 4
/** The rest of the input is for the protocol, results and further turns. */
const evidenceShare = 0.4
/** The rest of the time is for the checks and the apply step. */
const timeShare = 0.9

/** Lets a model read what it has not read. Undefined where nothing waits for it. */
export async function runModel(
  needs: DreamingNeeds,
  pass: Pass,
  { scan, planned, signal }: Request,
): Promise<ModelResult | undefined> {
  const window = await readWindow(needs, pass, scan)
  const attention = await listAttention(needs, pass)
  if (window.sources.length === 0 && attention.length === 0) return undefined
  const deadline = startDeadline(needs, pass)
  const stage = await openStage(needs, pass, {
    planned,
    signal: AbortSignal.any([signal, deadline.signal]),
  })
  const { current } = needs.active
  if (current?.passId === pass.id) current.writer = stage.writer
  const read: WindowSource[] = []
  const reading = { parts: splitWindow(window.sources), attention, planned, read }
  try {
    const { note, stoppedBy = null } = await readParts(stage, reading)
    if (note !== undefined) await saveNote(stage, note)
    const operations = stage.stager.finish()
    const status = stoppedBy === null ? 'completed' : 'stopped'
    return { operations, read, absent: window.absent, status, stoppedBy, error: null }
  } catch (error) {
    signal.throwIfAborted()
    const operations = stage.stager.finish()
    return toEarlyEnd(stage, error, { operations, read, isLate: deadline.signal.aborted })
  } finally {
    if (current) current.writer = undefined
    deadline.end()
  }
}

interface EarlyEnd extends Pick<ModelResult, 'operations' | 'read'> {
  readonly isLate: boolean
}

/** What a used-up limit has left counts; what a failure has left does not. */
function toEarlyEnd(
  { needs, pass }: Stage,
  error: unknown,
  { operations, read, isLate }: EarlyEnd,
): ModelResult {
  const stoppedBy = isLate ? 'timeout' : isBudget(error) ? 'inference' : null
  if (stoppedBy !== null)
    return { operations, read, absent: [], status: 'stopped', stoppedBy, error: null }
  if (pass.engine === 'model') throw error
  const { id: passId, agentId } = pass
  needs.log.warn({ err: error, passId, agentId }, 'dreaming model stage failed')
  return { ...failed(operations), error: describe(error) }
}

async function readWindow(needs: DreamingNeeds, { agentId, mode }: Pass, scan: Scan) {
  if (mode === 'incremental-hygiene') return { sources: [], absent: [] }
  const maxChars = needs.config().maxInputTokens * charactersPerToken * evidenceShare
  return collectWindow(needs, needs.background, { agentId, stage: 'modelChars', scan, maxChars })
}

/** A stage that failed leaves the plan of the rules as it is. */
function failed(operations: readonly StagedOperation[]) {
  return {
    operations: operations.map((operation) =>
      operation.state === 'planned'
        ? { ...operation, state: 'refused' as const, error: 'model_failed: the stage failed.' }
        : operation,
    ),
    read: [],
    absent: [],
    status: 'failed' as const,
    stoppedBy: null,
  }
}

function isBudget(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  return error.code === 'budget_exhausted' || error.details?.['reason'] === 'budget-exhausted'
}

/** Refusals have no text of a provider; other errors may. */
function describe(error: unknown): string {
  return error instanceof Refusal ? error.message : 'The model stage failed. See the log.'
}

function startDeadline({ host, config }: DreamingNeeds, { startedAt }: Pass) {
  const [late, ended] = [new AbortController(), new AbortController()]
  const elapsed = host.now().getTime() - Date.parse(startedAt)
  const ms = Math.max(0, config().timeout * timeShare - elapsed)
  void host.sleep(ms, ended.signal).then(() => {
    if (!ended.signal.aborted) late.abort(new Error('The model stage has used its time.'))
  })
  return { signal: late.signal, end: () => ended.abort() }
}

function listAttention({ background: db }: DreamingNeeds, { agentId, mode }: Pass) {
  return listPendingAttention(db, agentId, maxAttention).then((items) =>
    items.filter(({ kind }) => mode !== 'incremental-content' || kind !== 'hygiene'),
  )
}

async function openStage(
  needs: DreamingNeeds,
  pass: Pass,
  { planned, signal }: Pick<Request, 'planned' | 'signal'>,
): Promise<Stage> {
  const { agentId, id: passId } = pass
  const fence = createFence(needs.host)
  const names = await needs.knowledge.ledger.listNames(needs.background, agentId, maxNames)
  const stager = createStager(needs, { pass, planned, entities: indexEntities(names) })
  const writer: PassWriter = {
    ...createRunbookWriter(needs, { agentId, passId }),
    stage: (operations) => stager.stage(operations as readonly unknown[]),
  }
  const progress = { idleTurns: 0, sequence: 0, calls: new Map(), seenSources: new Set<string>() }
  const meter = createMeter(needs, pass)
  return {
    needs,
    pass,
    signal,
    fence,
    meter,
    stager,
    writer,
    progress,
    system: composeSystem(fence),
  }
}

/** Sources of about one conversation each. */
function splitWindow(sources: readonly WindowSource[]): WindowSource[][] {
  const parts: WindowSource[][] = []
  let left = 0
  for (const source of sources) {
    const chars = source.fragments.reduce((sum, { text }) => sum + text.length, 0)
    const current = parts.at(-1)
    if (current && chars <= left) current.push(source)
    else parts.push([source])
    left = (current && chars <= left ? left : maxPartChars) - chars
  }
  return parts
}

interface Reading {
  readonly parts: readonly (readonly WindowSource[])[]
  readonly attention: readonly AttentionRow[]
  readonly planned: readonly StagedOperation[]
  /** Filled with the sources that the model has read. */
  readonly read: WindowSource[]
}

async function readParts(
  stage: Stage,
  { parts, attention, planned, read }: Reading,
): Promise<Ending> {
  const { pass, fence, meter } = stage
  const lastNote = await findLastNote(stage)
  let note: string | undefined
  for (const [at, sources] of (parts.length === 0 ? [[]] : parts).entries()) {
    const items = at === 0 ? attention : []
    const scope = { fence, mode: pass.mode, limits: meter.describe(), sources }
    const task = composeTask({ ...scope, note: lastNote, attention: items, staged: planned })
    const ending = await converse(stage, task)
    note = ending.note ?? note
    // A part that a budget has cut is read again, unless it is the first one: each pass gets on.
    if ((at === 0 && meter.hasCalls()) || isRead(ending)) read.push(...sources)
    if (ending.stoppedBy !== undefined) return { stoppedBy: ending.stoppedBy, note }
  }
  return { stoppedBy: undefined, note }
}

function isRead({ stoppedBy }: Ending): boolean {
  return stoppedBy === undefined || stoppedBy === 'no_progress'
}

async function findLastNote({ needs, pass }: Stage) {
  const passes = await listPasses(needs.background, pass.agentId, { limit: 10 })
  return passes.find(({ runbook }) => runbook !== null)?.runbook ?? null
}

const maxNote = 2_000

/** A note in a turn counts unless the model has written one with its tool. */
async function saveNote({ writer }: Stage, note: string): Promise<void> {
  const summary = note.trim().slice(0, maxNote)
  if (summary !== '') await writer.writeRunbook({ summary, openQuestions: [], deferred: [] })
}
