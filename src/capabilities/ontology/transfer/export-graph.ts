import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import type { OntologyNeeds } from '../needs.ts'
import { listAfter } from '../store/assertions.ts'
import { type ItemType, itemTypes } from './item.ts'

export interface ExportRequest {
  readonly agentId: string
  /** `type:id` of the last item of the page before. */
  readonly cursor: string | undefined
  readonly limit: number
}

type Item = Readonly<Record<string, unknown>> & { readonly type: ItemType }

interface Position {
  readonly type: ItemType
  readonly after: string
}

/** A page of the graph of an agent without withheld rows, in the order that an import needs. */
export async function exportGraph(needs: OntologyNeeds, request: ExportRequest) {
  const { limit } = request
  const items: Item[] = []
  let position: Position | undefined = parseCursor(request.cursor)
  while (position && items.length < limit) {
    const { type }: Position = position
    const page = { agentId: request.agentId, after: position.after, limit: limit - items.length }
    const rows: readonly Row[] = await listRows(needs, type, page)
    items.push(...rows.map(({ id: _, ...row }) => ({ type, ...row })))
    position = toNext({ type, count: rows.length, lastId: rows.at(-1)?.id, limit: page.limit })
  }
  return {
    version: 1 as const,
    items,
    next: position ? `${position.type}:${position.after}` : null,
  }
}

function parseCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return { type: itemTypes[0], after: '' }
  const [name = '', after = ''] = cursor.split(/:(.*)/s)
  const type = itemTypes.find((one) => one === name)
  if (!type || after.includes('\0')) throw invalidRequest('cursor is invalid')
  return { type, after }
}

interface ReadPage {
  readonly type: ItemType
  readonly count: number
  readonly lastId: string | undefined
  readonly limit: number
}

/** The same type while a page is full, then the next type. */
function toNext({ type, count, lastId, limit }: ReadPage): Position | undefined {
  if (lastId !== undefined && count === limit) return { type, after: lastId }
  const next = itemTypes[itemTypes.indexOf(type) + 1]
  return next && { type: next, after: '' }
}

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}

interface Page {
  readonly agentId: string
  readonly after: string
  readonly limit: number
}

async function listRows(needs: OntologyNeeds, type: ItemType, page: Page): Promise<Row[]> {
  if (type === 'assertion') return listAssertionRows(needs, page)
  const { db, knowledge, memory } = needs
  const { agentId } = page
  const rows = await knowledge.exported.list(db, type, page)
  const ids = rows.map(({ id }) => id)
  const cited = await knowledge.exported.listCitations(db, agentId, { kind: type, ids })
  const memoryIds = cited.flatMap(({ sourceKind, sourceId }) =>
    sourceKind === 'memory' ? [sourceId] : [],
  )
  const hashes = await memory.contentHashes.listHashes(db, agentId, [...new Set(memoryIds)])
  const bySubject = Map.groupBy(cited, ({ subjectId }) => subjectId)
  return rows.map((row) => ({
    ...toWire(row),
    ...(type !== 'alias' && {
      citations: (bySubject.get(row.id) ?? []).map(({ sourceKind, sourceId, quote }) => ({
        source_kind: sourceKind,
        source_id: sourceId,
        ...(hashes.has(sourceId) && { content_hash: hashes.get(sourceId) }),
        quote,
      })),
    }),
    id: row.id,
  }))
}

const booleans: ReadonlySet<string> = new Set(['pinned'])

function toWire(row: object): Readonly<Record<string, unknown>> {
  const fields = Object.entries(row).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    booleans.has(name) ? value === 1 : value,
  ])
  return Object.fromEntries(fields)
}

async function listAssertionRows({ db, knowledge }: OntologyNeeds, page: Page): Promise<Row[]> {
  const assertions = await listAfter(db, page)
  const ids = [...new Set(assertions.map(({ subjectEntityId }) => subjectEntityId))]
  const subjects = await knowledge.subjects.read(db, page.agentId, ids)
  return assertions.map((assertion) => ({
    id: assertion.id,
    entity: subjects.get(assertion.subjectEntityId)?.name ?? '',
    predicate: assertion.predicate,
    content: assertion.content,
    speaker: assertion.speaker,
    asserted_at: assertion.assertedAt,
    confidence: assertion.confidence,
    evidence: assertion.evidence,
    source_kind: assertion.sourceKind,
    source_id: assertion.sourceId,
    source_path: assertion.sourcePath,
  }))
}
