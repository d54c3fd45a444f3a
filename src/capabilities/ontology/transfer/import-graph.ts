import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { invalidRequest, Refusal } from '../../../kernel/errors/refusal.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import { createAssertion } from '../assertions/write-assertions.ts'
import type { OntologyNeeds } from '../needs.ts'
import { applyOperations } from '../operations/apply-operations.ts'
import type { OperationRequest } from '../operations/request.ts'
import { actorOf } from '../schemas.ts'
import { isExisting } from './existing.ts'
import { type GraphItem, graphItem, type ItemCitation } from './item.ts'

interface Rejection {
  readonly index: number
  readonly error: string
}

export interface ImportResult {
  readonly created: number
  readonly existing: number
  readonly rejected: readonly Rejection[]
}

/** Writes the items in their order. An invalid item is rejected and named; the others are written. */
export async function importGraph(
  needs: OntologyNeeds,
  caller: Caller,
  items: readonly unknown[],
): Promise<ImportResult> {
  const rejected: Rejection[] = []
  let created = 0
  for (const [index, input] of items.entries())
    try {
      const item = parseItem(redactContent(input, needs.secretPolicy()).value)
      if (await transaction(needs.db, (db) => importItem(needs, db, { caller, item }))) created += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      rejected.push({ index, error: error.message })
    }
  return { created, existing: items.length - created - rejected.length, rejected }
}

function parseItem(input: unknown): GraphItem {
  const { data, error } = graphItem.safeParse(input)
  if (data) return data
  const [issue] = error.issues
  throw invalidRequest([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '))
}

interface Import {
  readonly caller: Caller
  readonly item: GraphItem
}

/** False for an item that is known. */
async function importItem(
  needs: OntologyNeeds,
  db: Db,
  { caller, item }: Import,
): Promise<boolean> {
  const { agentId } = caller
  // Two imports at once would each miss what the other is writing.
  await needs.memory.projections.lock(db)
  if (await isExisting(needs, db, agentId, item)) return false
  if (item.type === 'assertion') {
    await importAssertion(needs, db, { caller, item })
    return true
  }
  const evidence = 'citations' in item ? await findSources(needs, db, agentId, item.citations) : []
  const { refusal } = await applyOperations(
    needs,
    {
      agentId,
      actor: actorOf(caller, undefined),
      origin: { kind: 'import', id: null },
      mode: 'all',
      dryRun: false,
      citations: 'optional',
      operations: toOperations(item).map((operation) => ({ ...operation, evidence })),
    },
    db,
  )
  if (refusal) throw refusal
  return true
}

type GraphRow = Exclude<GraphItem, { type: 'assertion' }>

function toOperations(item: GraphRow): Omit<OperationRequest, 'evidence'>[] {
  const toRequest = (operation: string, fields: object) => ({
    operation,
    payload: Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
    ),
    confidence: undefined,
    rationale: '',
    risk: null,
    source: { sourceKind: null, sourceId: null, sourcePath: null, sourceRoot: null },
  })
  const { type: _, ...fields } = item
  switch (item.type) {
    case 'entity': {
      const created = toRequest('create_entity', { ...fields, citations: undefined })
      const pinned = toRequest('pin_entity', { entity: item.name })
      return item.pinned ? [created, pinned] : [created]
    }
    case 'alias':
      return [toRequest('create_entity_alias', fields)]
    case 'aspect':
      return [toRequest('create_aspect', { ...fields, citations: undefined })]
    case 'value': {
      const version = String(item.version)
      return [toRequest('import_claim_value', { ...fields, version, citations: undefined })]
    }
    case 'link':
      return [toRequest('create_link', { ...fields, citations: undefined })]
  }
}

/** A source is found by its id, then by the hash of its content. Otherwise its quote is retained. */
async function findSources(
  { memory }: OntologyNeeds,
  db: Db,
  agentId: string,
  citations: readonly ItemCitation[],
) {
  const hashes = citations.flatMap(({ content_hash: hash }) => hash ?? [])
  const byHash = await memory.contentHashes.listIdsByHash(db, agentId, hashes)
  const own = citations.filter(({ source_kind: kind }) => kind !== 'ontology_proposal')
  const evidence: (string | Readonly<Record<string, unknown>>)[] = []
  for (const { content_hash: hash, quote, source_id, source_kind } of own) {
    const isMemory = source_kind === 'memory'
    const isKnown = isMemory && (await memory.findEvidence(db, agentId, source_id)) !== undefined
    const sourceId = isMemory && !isKnown ? byHash.get(hash ?? '') : source_id
    if (sourceId !== undefined) evidence.push({ source_kind, source_id: sourceId, quote })
    else if (quote !== '') evidence.push(quote)
  }
  return evidence
}

async function importAssertion(
  needs: OntologyNeeds,
  db: Db,
  { caller, item }: Import & { readonly item: Extract<GraphItem, { type: 'assertion' }> },
): Promise<void> {
  const { type: _, speaker, ...fields } = item
  const body = {
    ...fields,
    speaker: speaker ?? undefined,
    source_kind: fields.source_kind ?? undefined,
    source_id: fields.source_id ?? undefined,
    source_path: fields.source_path ?? undefined,
  }
  await createAssertion(needs, caller, body as Parameters<typeof createAssertion>[2], db)
}
