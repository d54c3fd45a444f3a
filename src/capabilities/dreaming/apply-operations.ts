import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { invalidRequest, Refusal } from '../../kernel/errors/refusal.ts'
import { findQuoteFault } from './check/grounding.ts'
import { type ParsedOperation, parseDreamOperations } from './check/parse-operations.ts'
import { enqueueAttention } from './enqueue-attention.ts'
import { toRef } from './evidence/evidence.ts'
import { readSource } from './evidence/source.ts'
import type { DreamingNeeds } from './needs.ts'
import { findAttention, resolveAttention } from './store/attention.ts'
import { isAbout, listTargets } from './union.ts'

export interface OperationsCall {
  readonly agentId: string
  readonly actor: { readonly name: string; readonly type: string }
  readonly operations: unknown
  /** `all`: one failure undoes everything. `each`: a failure undoes its own operation. */
  readonly mode: 'all' | 'each'
}

interface AppliedItem {
  readonly index: number
  readonly ok: boolean
  readonly proposal?: string | null
  readonly result?: unknown
  readonly error?: string
}

export interface AppliedOperations {
  readonly ok: boolean
  readonly items: readonly AppliedItem[]
}

/** Rolls the batch back, and carries its items. */
class Failed extends Error {
  readonly items: readonly AppliedItem[]

  constructor(items: readonly AppliedItem[]) {
    super('An operation failed.')
    this.items = items
  }
}

/** Applies operations of a request. The checks are those of a pass. */
export async function applyDreamOperations(
  needs: DreamingNeeds,
  call: OperationsCall,
): Promise<AppliedOperations> {
  const operations = parseDreamOperations(needs, call.operations)
  for (const operation of operations) await assertCitations(needs, call.agentId, operation)
  try {
    const items = await transaction(needs.db, (db) => applyAll(needs, db, { call, operations }))
    return { ok: items.every(({ ok }) => ok), items }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { ok: false, items: error.items }
  }
}

/** Phases 2 to 4: each source is one of the agent, and has the quote. */
async function assertCitations(
  needs: DreamingNeeds,
  agentId: string,
  { index, evidence }: Pick<ParsedOperation, 'index' | 'evidence'>,
): Promise<void> {
  for (const item of evidence) {
    const source = await readSource(needs, needs.db, { ...item, agentId })
    const fault = source
      ? findQuoteFault(source.text, item.quote)
      : `The source ${toRef(item)} is unknown.`
    if (fault !== undefined)
      throw invalidRequest(
        `operations[${index}]: Every operation must cite an exact quote from scoped episodic evidence. ${fault}`,
        { index },
      )
  }
}

interface Applying {
  readonly call: OperationsCall
  readonly operations: readonly ParsedOperation[]
}

/** Flags come first, so that others can cite them. */
async function applyAll(
  needs: DreamingNeeds,
  db: Db,
  { call, operations }: Applying,
): Promise<readonly AppliedItem[]> {
  const flags = new Map<number, string>()
  const items = new Map<number, AppliedItem>()
  const isFlag = ({ operation }: ParsedOperation) => operation === 'flag'
  const ordered = [
    ...operations.filter(isFlag),
    ...operations.filter((operation) => !isFlag(operation)),
  ]
  for (const operation of ordered) {
    const item = await applyItem(needs, db, { call, operation, flags })
    items.set(item.index, item)
    if (!item.ok && call.mode === 'all') throw new Failed(listItems(items))
  }
  return listItems(items)
}

function listItems(items: ReadonlyMap<number, AppliedItem>): AppliedItem[] {
  return [...items.values()].toSorted((one, other) => one.index - other.index)
}

interface Item {
  readonly call: OperationsCall
  readonly operation: ParsedOperation
  /** Attention of the flags of this request, by index. */
  readonly flags: Map<number, string>
}

/** In a savepoint, so that a refused operation leaves nothing. */
async function applyItem(needs: DreamingNeeds, db: Db, item: Item): Promise<AppliedItem> {
  const { index } = item.operation
  try {
    return await transaction(db, (db) => applyOne(needs, db, item))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { index, ok: false, error: error.message }
  }
}

async function applyOne(needs: DreamingNeeds, db: Db, item: Item): Promise<AppliedItem> {
  const { call, operation, flags } = item
  const { agentId } = call
  const { index, request, payload } = operation
  if (operation.operation === 'flag') {
    const id = await mintFlag(needs, db, { agentId, operation })
    flags.set(index, id)
    return { index, ok: true, result: { attentionId: id } }
  }
  if (operation.operation === 'decline_attention') {
    const id = String(payload['attentionId']).replace(/^attention:/, '')
    await resolve(needs, db, { agentId, id, resolvedBy: 'declined' })
    return { index, ok: true, result: { attentionId: id } }
  }
  const attentionId = await findProvenance(db, item)
  if (!request) throw invalidRequest('operation is unknown')
  const { items } = await needs.ontology.applyOperations(
    {
      agentId,
      actor: call.actor,
      origin: { kind: 'dreaming', id: null },
      mode: 'all',
      dryRun: false,
      citations: 'exact-quote',
      operations: [request],
    },
    db,
  )
  const [applied] = items
  if (applied?.error) throw invalidRequest(applied.error.message)
  if (attentionId !== undefined)
    await resolve(needs, db, { agentId, id: attentionId, resolvedBy: 'operation' })
  const { proposalId: proposal = null, result = null } = applied ?? {}
  return { index, ok: true, proposal, result }
}

interface Flagging {
  readonly agentId: string
  readonly operation: Pick<ParsedOperation, 'payload'>
}

export async function mintFlag(
  { host, knowledge }: Pick<DreamingNeeds, 'host' | 'knowledge'>,
  db: Db,
  { agentId, operation: { payload } }: Flagging,
): Promise<string> {
  const { details, priority } = payload
  const subjectRef = String(payload['subjectRef']).trim()
  if (!(await knowledge.subjects.has(db, agentId, subjectRef)))
    throw invalidRequest(`The subject of the flag does not exist: ${subjectRef}. Use its id.`)
  const texts = Object.entries(Object(details)).map(([name, value]) => [name, String(value)])
  const id = await enqueueAttention(
    { db, host },
    {
      agentId,
      kind: 'hygiene',
      subjectRef,
      details: Object.fromEntries(texts),
      priority: Number(priority),
    },
  )
  if (id === undefined) throw invalidRequest('The queue of attention is full of more urgent items.')
  return id
}

/** Phases 5 and 6: the attention that stands in place of a quote. */
async function findProvenance(
  db: Db,
  { call: { agentId }, operation, flags }: Item,
): Promise<string | undefined> {
  const { provenance } = operation
  if (provenance === undefined) return undefined
  const [, flag, id] = /^attention:(?:\$(\d+)|(\S+))$/.exec(provenance) ?? []
  const attentionId = flag === undefined ? id : flags.get(Number(flag))
  const row = attentionId === undefined ? undefined : await findAttention(db, agentId, attentionId)
  if (row?.state !== 'pending')
    throw invalidRequest(`Attention record is not pending in this agent scope: ${provenance}`)
  const targets = listTargets(operation)
  if (operation.evidence.length === 0 && !isAbout(row, targets))
    throw invalidRequest(
      `The attention item is about ${row.subjectRef}, not about ${targets.join(', ')}.`,
    )
  return row.id
}

interface Resolution {
  readonly agentId: string
  readonly id: string
  readonly resolvedBy: string
}

/** An item is used once. */
async function resolve(
  { host }: DreamingNeeds,
  db: Db,
  { agentId, id, resolvedBy }: Resolution,
): Promise<void> {
  const ended = { resolvedBy, resolvedAt: host.now().toISOString() }
  if (!(await resolveAttention(db, { agentId, id }, ended)))
    throw invalidRequest('Attention record is not pending in this agent scope')
}

const defaultActor = 'dreaming-agent'

interface HttpCall {
  readonly operations: unknown
  readonly actor?: string | undefined
}

/** All or nothing: a rejection has written nothing. */
export async function applyOverHttp(
  needs: DreamingNeeds,
  { agentId, name, role, actorType }: Caller,
  { operations, actor }: HttpCall,
) {
  const own = name === 'daemon' ? defaultActor : name
  const author = { name: role === 'agent' ? name : (actor ?? own), type: actorType }
  const call = { agentId, actor: author, operations, mode: 'all' } as const
  const { ok, items } = await applyDreamOperations(needs, call).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    throw invalidRequest(error.message, { ...error.details, ok: false, items: [], agentId })
  })
  if (ok) return { ok: true as const, items, agentId }
  const failed = items.find((item) => !item.ok)
  throw invalidRequest(`operations[${failed?.index}]: ${failed?.error}`, { ok, items, agentId })
}
