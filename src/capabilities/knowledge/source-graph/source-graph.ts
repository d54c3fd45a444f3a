import type { Db } from '../../../kernel/db/database.ts'
import type { KnowledgeContext } from '../needs.ts'
import { listBy } from '../store/evidence.ts'
import {
  deleteNames,
  deleteTargets,
  insertNames,
  insertTargets,
  listLinking,
  listNamesOf,
  listTargetsOf,
} from '../store/source-links.ts'
import {
  countMembers,
  deleteLinks,
  deleteNodes,
  deleteSections,
  insertLinks,
  insertSections,
  isContainer,
  listContainers,
  listNodeIds,
  upsertNodes,
} from '../store/source-nodes.ts'
import { insertResolved, toTail } from './resolve-links.ts'
import {
  type DocumentKey,
  type NodeType,
  type SourceRows,
  toAspectRows,
  toEntityRow,
  toLinkRow,
  toNodeId,
} from './source-rows.ts'

export type SourceCounts = Record<'entities' | 'aspects' | 'attributes' | 'dependencies', number>

interface SourceDocument extends DocumentKey {
  readonly generation: string
  readonly rows: SourceRows
}

/** Rows of the graph that repeat what sources say. Sources alone write them. */
export interface SourceGraph {
  documentId(document: DocumentKey): string
  /** Makes the rows of documents of one source these. Returns how many each has now. */
  replacePaths(db: Db, documents: readonly SourceDocument[]): Promise<SourceCounts[]>
  removePath(db: Db, document: DocumentKey): Promise<SourceCounts>
  /** Removes at most `limit` entities of a source with their rows. */
  removeSource(
    db: Db,
    source: {
      readonly agentId: string
      readonly sourceId: string
      readonly generation?: string | undefined
      readonly limit: number
    },
  ): Promise<SourceCounts>
  countRows(
    db: Db,
    agentId: string,
    sourceId: string,
  ): Promise<SourceCounts & { readonly files: number; readonly latestDocumentId: string | null }>
}

export function createSourceGraph(needs: Needs): SourceGraph {
  return {
    documentId: (document) => toNodeId('document', document),
    replacePaths: (db, documents) => replacePaths(needs, db, documents),
    removePath: (db, document) => removePath(needs, db, document),
    removeSource: async (db, source) => {
      const ids = await listNodeIds(db, source)
      return ids.length === 0 ? none : eraseNodes(needs, db, source.agentId, ids)
    },
    countRows: countMembers,
  }
}

const none: SourceCounts = { entities: 0, aspects: 0, attributes: 0, dependencies: 0 }

type Needs = Pick<KnowledgeContext, 'emptyGraphs' | 'erasures'>

async function replacePaths(
  needs: Needs,
  db: Db,
  documents: readonly SourceDocument[],
): Promise<SourceCounts[]> {
  const [{ agentId, sourceId } = noSource] = documents
  const all = documents.map(prepare)
  const ids = all.map(({ id }) => id)
  if (ids.length === 0) return []
  needs.emptyGraphs.invalidate(db, agentId)
  const before = await listContainers(db, ids)
  const known = [...new Set(before.map(({ entityId }) => entityId))]
  const chain = all.flatMap((one) => one.chain)
  await upsertNodes(db, uniqueById(chain.map(({ entity }) => entity)), uniqueNodes(chain))
  // A document without a container is a new one.
  if (known.length > 0) {
    await deleteSections(db, known)
    await deleteLinks(db, known, { end: 'targetEntityId', type: 'contains' })
    await deleteLinks(db, known, { end: 'sourceEntityId', type: 'links_to' })
    await deleteTargets(db, known)
  }
  const aspects = all.flatMap(({ sections }) => sections.aspects)
  const claims = all.flatMap(({ sections }) => sections.claims)
  const contained = uniqueById(all.flatMap(({ contains }) => contains))
  await Promise.all([insertSections(db, { aspects, claims }), insertLinks(db, contained)])
  const used = new Set(all.flatMap(({ contains }) => contains.map((link) => link.sourceEntityId)))
  const left = before.map(({ containerId }) => containerId).filter((id) => !used.has(id))
  await removeEmpty(needs, db, agentId, [...new Set(left)])
  const links = await saveLinks(db, { agentId, sourceId }, all)
  return all.map(({ chain, sections, contains }, at) => ({
    entities: chain.length,
    aspects: sections.aspects.length,
    attributes: sections.claims.length,
    dependencies: contains.length + (links[at] ?? 0),
  }))
}

const noSource = { agentId: '', sourceId: '' }

/** The rows of a document, before they are saved. */
function prepare(document: SourceDocument) {
  const { rows, path } = document
  const chain = toChain(document)
  const id = toNodeId('document', document)
  const contains = chain.slice(1).map(({ id: to, path }, at) => {
    const from = chain[at]?.id ?? ''
    return toLinkRow({ ...document, path }, { from, to, type: 'contains' }, rows)
  })
  const targets = [...new Set(rows.links)].map((target) => ({ target, tail: toTail(target) }))
  return { id, path, rows, chain, contains, targets, sections: toAspectRows(document, rows) }
}

type Prepared = ReturnType<typeof prepare>
type Chain = Prepared['chain']

/** The source, the folders and the document, the outermost first. */
function toChain(document: SourceDocument) {
  const { agentId, sourceId, generation, rows } = document
  const node = (kind: NodeType, path: string, name: string) => {
    const entity = toEntityRow(kind, { ...document, path }, { ...rows, name })
    const { id } = entity
    return { id, path, entity, node: { entityId: id, agentId, sourceId, generation, kind } }
  }
  return [
    node('source', '/', toTail(rows.sourceRoot) || rows.sourceRoot),
    ...rows.parentPaths.map((path) => node('reference', path, toTail(path) || path)),
    node('document', document.path, rows.name),
  ]
}

function uniqueById<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

function uniqueNodes(chain: Chain) {
  return uniqueById(chain).map(({ node }) => node)
}

/** Saves names and targets, then resolves the links of the documents and those to them. */
async function saveLinks(
  db: Db,
  source: Omit<DocumentKey, 'path'>,
  documents: readonly Prepared[],
): Promise<number[]> {
  const ids = documents.map(({ id }) => id)
  const before = Map.groupBy(await listNamesOf(db, ids), ({ entityId }) => entityId)
  const changes = documents.map(({ id, rows }) => ({
    id,
    rows: rows.names.map(({ name, rank }) => ({ ...source, entityId: id, name, rank })),
    changed: differing(before.get(id) ?? [], rows.names),
  }))
  const renamed = changes.filter(({ changed }) => changed.length > 0)
  const old = renamed.map(({ id }) => id).filter((id) => before.has(id))
  if (old.length > 0) await deleteNames(db, old)
  await insertNames(
    db,
    renamed.flatMap(({ rows }) => rows),
  )
  await insertTargets(
    db,
    documents.flatMap(({ id, targets }) =>
      targets.map((target) => ({ ...source, entityId: id, ...target })),
    ),
  )
  const linking = documents.map(({ id, path, targets, rows }) => {
    return { entityId: id, path, targets, origin: rows }
  })
  const counts = await insertResolved(db, source, linking)
  const names = [...new Set(renamed.flatMap(({ changed }) => changed))]
  await resolveLinking(db, source, { names, except: new Set(ids) })
  return counts
}

interface Named {
  readonly name: string
  readonly rank: number
}

function differing(before: readonly Named[], after: readonly Named[]): string[] {
  const keyOf = ({ name, rank }: Named) => `${rank} ${name}`
  const [old, fresh] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const changed = [
    ...before.filter((one) => !fresh.has(keyOf(one))),
    ...after.filter((one) => !old.has(keyOf(one))),
  ]
  return [...new Set(changed.map(({ name }) => name))]
}

/** Resolves the links of other documents that name one of these. */
async function resolveLinking(
  db: Db,
  source: Omit<DocumentKey, 'path'>,
  { names, except }: { readonly names: readonly string[]; readonly except: ReadonlySet<string> },
): Promise<void> {
  const ids = (await listLinking(db, { ...source, names })).filter((id) => !except.has(id))
  for (let at = 0; at < ids.length; at += maxLinking)
    await resolveSome(db, source, ids.slice(at, at + maxLinking))
}

/** Documents whose links are resolved together. */
const maxLinking = 100

async function resolveSome(
  db: Db,
  source: Omit<DocumentKey, 'path'>,
  ids: readonly string[],
): Promise<void> {
  const targets = Map.groupBy(await listTargetsOf(db, ids), ({ entityId }) => entityId)
  const linking = (await listBy(db, 'entities', 'id', ids)).map((row) => ({
    entityId: row.id,
    path: row.canonicalName.slice(`source:${source.sourceId}:document:`.length),
    targets: targets.get(row.id) ?? [],
    origin: {
      sourceKind: 'source_document',
      sourceRoot: row.sourceRoot ?? '',
      at: row.updatedAt,
    },
  }))
  await deleteLinks(db, ids, { end: 'sourceEntityId', type: 'links_to' })
  await insertResolved(db, source, linking)
}

async function removePath(needs: Needs, db: Db, key: DocumentKey): Promise<SourceCounts> {
  const id = toNodeId('document', key)
  const containers = await listContainers(db, [id])
  const names = (await listNamesOf(db, [id])).map(({ name }) => name)
  const removed = await eraseNodes(needs, db, key.agentId, [id])
  await resolveLinking(db, key, { names: [...new Set(names)], except: new Set([id]) })
  const emptied = await removeEmpty(
    needs,
    db,
    key.agentId,
    containers.map(({ containerId }) => containerId),
  )
  return addUp(removed, emptied)
}

/** Removes folders that contain nothing, the innermost first. */
async function removeEmpty(
  needs: Needs,
  db: Db,
  agentId: string,
  candidates: readonly string[],
): Promise<SourceCounts> {
  let total = none
  const waiting = [...candidates]
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (await isContainer(db, id)) continue
    waiting.push(...(await listContainers(db, [id])).map(({ containerId }) => containerId))
    total = addUp(total, await eraseNodes(needs, db, agentId, [id]))
  }
  return total
}

async function eraseNodes(
  { erasures }: Needs,
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<SourceCounts> {
  const sections = await deleteSections(db, ids)
  const outgoing = await deleteLinks(db, ids, { end: 'sourceEntityId' })
  const incoming = await deleteLinks(db, ids, { end: 'targetEntityId' })
  const entities = await deleteNodes(db, ids)
  for (const { erased } of erasures.list()) await erased(db, { agentId, ids })
  return { entities, ...sections, dependencies: outgoing + incoming }
}

function addUp(one: SourceCounts, other: SourceCounts): SourceCounts {
  return {
    entities: one.entities + other.entities,
    aspects: one.aspects + other.aspects,
    attributes: one.attributes + other.attributes,
    dependencies: one.dependencies + other.dependencies,
  }
}
