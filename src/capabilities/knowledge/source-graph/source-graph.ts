import type { Db } from '../../../kernel/db/database.ts'
import type { KnowledgeContext } from '../needs.ts'
import { listBy } from '../store/evidence.ts'
import { listLinking, listNamesOf, replaceNames, replaceTargets } from '../store/source-links.ts'
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
import { resolveLinks, toTail } from './resolve-links.ts'
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

interface Document extends DocumentKey {
  readonly generation: string
  readonly rows: SourceRows
}

/** Rows of the graph that repeat what sources say. Sources alone write them. */
export interface SourceGraph {
  documentId(document: DocumentKey): string
  /** Makes the rows of a document these. Returns how many there are now. */
  replacePath(db: Db, document: Document): Promise<SourceCounts>
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
  ): Promise<SourceCounts & { readonly files: number }>
}

export function createSourceGraph(needs: Pick<KnowledgeContext, 'erasures'>): SourceGraph {
  return {
    documentId: (document) => toNodeId('document', document),
    replacePath: (db, document) => replacePath(needs, db, document),
    removePath: (db, document) => removePath(needs, db, document),
    removeSource: async (db, source) => {
      const ids = await listNodeIds(db, source)
      return ids.length === 0 ? none : eraseNodes(needs, db, source.agentId, ids)
    },
    countRows: countMembers,
  }
}

const none: SourceCounts = { entities: 0, aspects: 0, attributes: 0, dependencies: 0 }

type Needs = Pick<KnowledgeContext, 'erasures'>

async function replacePath(needs: Needs, db: Db, document: Document): Promise<SourceCounts> {
  const { rows } = document
  const id = toNodeId('document', document)
  const before = await listContainers(db, id)
  const chain = toChain(document)
  await upsertNodes(
    db,
    chain.map(({ type, path, name }) =>
      toEntityRow(type, { ...document, path }, { ...rows, name }),
    ),
    chain.map(({ type, id: entityId }) => toNode(document, type, entityId)),
  )
  // A document without a container is a new one.
  if (before.length > 0) await deleteSections(db, [id])
  const sections = toAspectRows(document, rows)
  await insertSections(db, sections)
  if (before.length > 0) await deleteLinks(db, [id], { end: 'targetEntityId', type: 'contains' })
  const contains = chain.slice(1).map(({ id: to, path }, at) => {
    const from = chain[at]?.id ?? ''
    return toLinkRow({ ...document, path }, { from, to, type: 'contains' }, rows)
  })
  await insertLinks(db, contains)
  await removeEmpty(needs, db, document.agentId, before)
  const links = await replaceLinks(db, document, id)
  return {
    entities: chain.length,
    aspects: sections.aspects.length,
    attributes: sections.claims.length,
    dependencies: contains.length + links,
  }
}

function toNode({ agentId, sourceId, generation }: Document, kind: NodeType, entityId: string) {
  return { entityId, agentId, sourceId, generation, kind }
}

/** The source, the folders and the document, the outermost first. */
function toChain(document: Document) {
  const { rows } = document
  const node = (type: NodeType, path: string, name: string) => ({
    type,
    path,
    name,
    id: toNodeId(type, { ...document, path }),
  })
  return [
    node('source', '/', toTail(rows.sourceRoot) || rows.sourceRoot),
    ...rows.parentPaths.map((path) => node('reference', path, toTail(path) || path)),
    node('document', document.path, rows.name),
  ]
}

/** Saves names and targets, then resolves the links of the document and those to it. */
async function replaceLinks(db: Db, document: Document, entityId: string): Promise<number> {
  const { agentId, sourceId, rows } = document
  const before = await listNamesOf(db, entityId)
  const names = rows.names.map(({ name, rank }) => ({ agentId, sourceId, entityId, name, rank }))
  const targets = [...new Set(rows.links)].map((target) => ({
    agentId,
    sourceId,
    entityId,
    target,
    tail: toTail(target),
  }))
  await replaceTargets(db, entityId, targets)
  const changed = differing(before, names)
  if (changed.length > 0) await replaceNames(db, entityId, names)
  const count = await resolveLinks(db, document, { entityId, origin: rows })
  await resolveLinking(db, document, { names: changed, except: entityId })
  return count
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
  key: DocumentKey,
  { names, except }: { readonly names: readonly string[]; readonly except: string },
): Promise<void> {
  const linking = (await listLinking(db, { ...key, names })).filter((id) => id !== except)
  for (const row of await listBy(db, 'entities', 'id', linking)) {
    const path = row.canonicalName.slice(`source:${key.sourceId}:document:`.length)
    const { sourceRoot, updatedAt: at } = row
    const origin = { sourceKind: 'source_document', sourceRoot: sourceRoot ?? '', at }
    await resolveLinks(db, { ...key, path }, { entityId: row.id, origin })
  }
}

async function removePath(needs: Needs, db: Db, key: DocumentKey): Promise<SourceCounts> {
  const id = toNodeId('document', key)
  const containers = await listContainers(db, id)
  const names = (await listNamesOf(db, id)).map(({ name }) => name)
  const removed = await eraseNodes(needs, db, key.agentId, [id])
  await resolveLinking(db, key, { names: [...new Set(names)], except: id })
  const emptied = await removeEmpty(needs, db, key.agentId, containers)
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
    waiting.push(...(await listContainers(db, id)))
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
