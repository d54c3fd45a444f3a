import { Refusal } from '../../../kernel/errors/refusal.ts'
import { toCanonicalName } from '../../knowledge/index.ts'
import { type ParsedOperation, parseDreamOperations } from '../check/parse-operations.ts'
import { tryOperations } from '../check/try-operations.ts'
import type { DreamingNeeds } from '../needs.ts'
import { maxNewEntities, maxRemovals, type Pass, type StagedOperation } from '../pass.ts'
import { findAttention } from '../store/attention.ts'
import { queueOperations } from '../union.ts'
import { type Draft, draftOperation } from './draft.ts'
import { type EntityIndex, readText, structureRemovals } from './staged-payload.ts'

interface StagedItem {
  readonly index: number
  readonly ok: boolean
  readonly state?: StagedOperation['state']
  readonly error?: string
}

/** Collects what the model of a pass wants to write. Nothing reaches the graph from here. */
export interface Stager {
  /** Checks and stages operations. Never throws for a bad one. */
  stage(operations: readonly unknown[]): Promise<{ ok: boolean; items: readonly StagedItem[] }>
  /** The staged operations, without entities that nothing is said about. */
  finish(): readonly StagedOperation[]
  /** Sound operations so far. */
  count(): number
  readonly isFull: () => boolean
}

interface StagerOptions {
  readonly pass: Pass
  readonly entities: EntityIndex
  /** What the rules have staged. */
  readonly planned: readonly StagedOperation[]
}

/** Refused operations that the pass shows. */
const maxRefused = 200
const structural: ReadonlySet<string> = new Set(['create_entity', 'create_aspect', 'rename_entity'])

export function createStager(
  needs: DreamingNeeds,
  { pass, entities, planned }: StagerOptions,
): Stager {
  const { writesPerPass } = needs.config().budget
  const db = needs.background
  const staged: StagedOperation[] = []
  const fingerprints = new Set(planned.flatMap(({ fingerprint }) => fingerprint ?? []))
  const newEntities = new Set<string>()
  const listSound = () => staged.filter(({ state }) => state === 'planned')
  const isFull = () => planned.length + listSound().length >= writesPerPass

  const findLimit = (operation: string, draft: Draft): string | undefined => {
    if (isFull()) return `writes: the pass has its limit of ${writesPerPass} operations.`
    const removals = listSound().filter((one) => structureRemovals.has(one.operation)).length
    if (structureRemovals.has(operation) && removals >= maxRemovals(entities.count))
      return 'destructive_limit: the pass has removed enough. Leave the rest for the next one.'
    const name = draft.newEntity === undefined ? '' : toCanonicalName(draft.newEntity)
    if (name !== '' && !newEntities.has(name) && newEntities.size >= maxNewEntities)
      return `bare_entity: the pass has its limit of ${maxNewEntities} new entities.`
    return undefined
  }
  const add = (operation: StagedOperation) => {
    const isShown = operation.state === 'planned' || staged.length - listSound().length < maxRefused
    if (isShown) staged.push(operation)
    return operation
  }
  /** After the entities and aspects that it may need. */
  const tryOut = async (operation: StagedOperation, { fingerprint, newEntity }: Draft) => {
    const earlier = listSound().filter((one) => structural.has(one.operation))
    const tried = await tryOperations(needs, pass, [...earlier, operation])
    const checked = tried.at(-1) ?? operation
    if (checked.state !== 'planned') return checked
    fingerprints.add(fingerprint)
    if (newEntity !== undefined) newEntities.add(toCanonicalName(newEntity))
    return checked
  }
  const stageParsed = async (parsed: ParsedOperation): Promise<StagedOperation | undefined> => {
    const position = planned.length + staged.length
    const base = toBase(parsed, { pass, position })
    if (queueOperations.has(parsed.operation)) {
      const fault = await findQueueFault(needs, pass.agentId, parsed)
      return add(fault === undefined ? base : { ...base, state: 'refused', error: fault })
    }
    const draft = await draftOperation({ needs, db, agentId: pass.agentId, entities }, parsed)
    if (typeof draft === 'string') return add({ ...base, state: 'refused', error: draft })
    if (fingerprints.has(draft.fingerprint)) return undefined
    const limit = findLimit(parsed.operation, draft)
    if (limit !== undefined) return add({ ...base, state: 'refused', error: limit })
    return add(await tryOut(withDraft(base, draft), draft))
  }
  const stageAll = async (operations: readonly unknown[]) => {
    const items: StagedItem[] = []
    for (const [index, item] of operations.entries())
      items.push(await stageOne(needs, { item, index }, stageParsed))
    return { ok: items.some(({ ok }) => ok), items }
  }
  // The model and callers may stage at the same time.
  let last: Promise<unknown> = Promise.resolve()
  return {
    stage: (operations) => {
      const staging = last.then(() => stageAll(operations))
      last = staging.catch(() => {})
      return staging
    },
    finish: () => staged.map((operation) => withoutBareEntity(operation, staged)),
    count: () => listSound().length,
    isFull,
  }
}

type StageParsed = (parsed: ParsedOperation) => Promise<StagedOperation | undefined>

/** A bad operation is a result. */
async function stageOne(
  needs: DreamingNeeds,
  { item, index }: { readonly item: unknown; readonly index: number },
  stageParsed: StageParsed,
): Promise<StagedItem> {
  try {
    const [parsed] = parseDreamOperations(needs, [item])
    const result = parsed && (await stageParsed(parsed))
    if (!result) return { index, ok: true, state: 'no_change' }
    const { state, error, risk } = result
    if (error !== null) return { index, ok: false, state, error }
    return { index, ok: true, state: risk === null ? state : 'proposed' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { index, ok: false, error: error.message.replace('operations[0]: ', '') }
  }
}

async function findQueueFault(
  needs: DreamingNeeds,
  agentId: string,
  { operation, payload }: ParsedOperation,
): Promise<string | undefined> {
  if (operation === 'flag') return undefined
  const id = String(payload['attentionId']).replace(/^attention:/, '')
  const item = await findAttention(needs.background, agentId, id)
  return item?.state === 'pending' ? undefined : 'attention: the item is not pending.'
}

interface Place {
  readonly pass: Pass
  readonly position: number
}

function toBase(parsed: ParsedOperation, { pass, position }: Place): StagedOperation {
  const { operation, payload, evidence, reason, confidence = null, provenance = null } = parsed
  return {
    passId: pass.id,
    position,
    agentId: pass.agentId,
    origin: 'model',
    rule: null,
    operation,
    payload,
    evidence,
    subject: readText(payload, 'entity', 'name', 'subjectRef', 'target', 'entityId'),
    beforeIds: [],
    reason,
    confidence,
    risk: null,
    provenance,
    state: 'planned',
    error: null,
    proposalId: null,
    batchId: null,
    attributeId: null,
    fingerprint: null,
    facts: [],
  }
}

function withDraft(base: StagedOperation, draft: Draft): StagedOperation {
  const { payload, subject, quotes, replaced, risk, fingerprint, facts } = draft
  const beforeIds = replaced.map(({ attributeId }) => attributeId)
  const evidence = quotes.map(({ cited }) => cited)
  const named = subject === '' ? base.subject : subject
  return { ...base, payload, subject: named, evidence, beforeIds, risk, fingerprint, facts }
}

/** An entity comes into the graph with a value or a link. */
function withoutBareEntity(
  operation: StagedOperation,
  staged: readonly StagedOperation[],
): StagedOperation {
  if (operation.operation !== 'create_entity' || operation.state !== 'planned') return operation
  const name = toCanonicalName(operation.subject)
  const isUsed = staged.some(
    ({ operation: other, payload, state }) =>
      state === 'planned' &&
      other !== 'create_entity' &&
      ['entity', 'source_entity', 'target_entity'].some(
        (field) => toCanonicalName(readText(payload, field)) === name,
      ),
  )
  if (isUsed) return operation
  return { ...operation, state: 'refused', error: 'bare_entity: the plan says nothing about it.' }
}
