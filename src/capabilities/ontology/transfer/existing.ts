import type { Db } from '../../../kernel/db/database.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import {
  type Entity,
  normalizeValue,
  toCanonicalKey,
  toCanonicalName,
} from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import { listAssertions } from '../store/assertions.ts'
import type { GraphItem } from './item.ts'

const maxCompared = 1_000

/** Whether the graph has the item, by its names. */
export async function isExisting(
  needs: OntologyNeeds,
  db: Db,
  agentId: string,
  item: GraphItem,
): Promise<boolean> {
  const { exported, write } = needs.knowledge
  const find = (name: string) => findEntity(needs, db, agentId, name)
  if (item.type === 'link') {
    const [source, target] = [await find(item.source_entity), await find(item.target_entity)]
    if (!source || !target) return false
    const ends = { sourceEntityId: source.id, targetEntityId: target.id }
    const link = await exported.findLink(db, agentId, { ...ends, dependencyType: item.link_type })
    return link?.status === 'active' && link.withheldAt === null
  }
  const entity = await find(item.type === 'entity' ? item.name : item.entity)
  if (!entity) return false
  if (item.type === 'entity') return toCanonicalName(item.name) === entity.canonicalName
  if (item.type === 'alias') {
    const aliases = await write.listAliases(db, agentId, entity.id)
    const canonical = toCanonicalName(item.alias)
    return aliases.some((one) => one.status === 'active' && one.canonicalAlias === canonical)
  }
  if (item.type === 'assertion') return hasAssertion(db, entity, item)
  const aspect = await orMissing(write.selectAspect(db, entity, { name: item.aspect }))
  if (!aspect || item.type === 'aspect') return aspect !== undefined
  const values = await write.listSlot(db, agentId, {
    aspectId: aspect.id,
    groupKey: toCanonicalKey(item.group_key),
    claimKey: toCanonicalKey(item.claim_key),
  })
  const normalized = normalizeValue(item.value)
  return values.some((one) => one.normalizedContent === normalized && one.version === item.version)
}

async function hasAssertion(
  db: Db,
  { agentId, id }: Entity,
  item: Extract<GraphItem, { type: 'assertion' }>,
): Promise<boolean> {
  const { predicate } = item
  const filter = { subjectIds: [id], predicate, limit: maxCompared, offset: 0 }
  const normalized = normalizeValue(item.content)
  const stored = await listAssertions(db, agentId, filter)
  return stored.some((one) => one.normalizedContent === normalized)
}

function findEntity({ knowledge }: OntologyNeeds, db: Db, agentId: string, name: string) {
  return orMissing(knowledge.write.selectEntity(db, agentId, { name }))
}

async function orMissing<Row>(row: Promise<Row>): Promise<Row | undefined> {
  try {
    return await row
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return undefined
    throw error
  }
}
