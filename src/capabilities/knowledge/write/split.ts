import { notFound } from '../../../kernel/errors/refusal.ts'
import type { Entity } from '../entity.ts'
import { parseName } from '../name.ts'
import { listClaims, listLinks } from '../store/claims.ts'
import { listAliases, listAllAspects, listNamed } from '../store/entities.ts'
import { updateRows } from '../store/images.ts'
import { assertMovable } from './archive.ts'
import { upsertAspect } from './aspects.ts'
import { assertOwnRow, upsertEntity } from './entities.ts'
import { foldClaims } from './fold-claims.ts'
import type { GraphWrite } from './graph-write.ts'
import { moveCitedMentions, moveLinks } from './move.ts'
import { graphRefusal } from './refusals.ts'

interface SplitInput {
  readonly name: string
  readonly entityType?: string | undefined
  readonly aspectIds: readonly string[]
  readonly attributeIds: readonly string[]
  readonly linkIds: readonly string[]
  readonly aliasIds: readonly string[]
}

interface Split {
  readonly entity: Entity
  readonly moved: {
    readonly aspects: number
    readonly attributes: number
    readonly links: number
    readonly aliases: number
  }
}

/** Moves a part of an entity to a new entity. */
export async function splitEntity(
  write: GraphWrite,
  from: Entity,
  input: SplitInput,
): Promise<Split> {
  assertOwnRow(from)
  const chosen = await choose(write, from, input)
  const { aspects, claims, singles, links, aliases } = chosen
  assertMovable({ claims: claims.length + singles.length + aspects.length, links: links.length })
  const { canonicalName } = parseName(input.name, 'name')
  if ((await listNamed(write.db, write.agentId, canonicalName)).length > 0)
    throw graphRefusal('entity_exists')
  const entityType = input.entityType ?? from.entityType
  const { row: to } = await upsertEntity(write, { name: input.name, entityType })
  if (to.id === from.id) throw graphRefusal('entity_exists')
  const set = { entityId: to.id, updatedAt: write.at }
  await updateRows(write, { table: 'entityAspects', rows: aspects }, set)
  await updateRows(write, { table: 'entityAttributes', rows: claims }, set)
  await moveSingles(write, to, chosen)
  await moveLinks(write, links, { from, to })
  await updateRows(write, { table: 'entityAliases', rows: aliases }, set)
  await moveCitedMentions(write, { from, to })
  for (const { id } of [...claims, ...singles]) write.touched.renamed.add(id)
  write.touched.entities.add(from.id)
  const moved = {
    aspects: aspects.length,
    attributes: claims.length + singles.length,
    links: links.length,
    aliases: aliases.length,
  }
  return { entity: to, moved }
}

async function choose({ db, agentId }: GraphWrite, from: Entity, input: SplitInput) {
  const all = await listClaims(db, agentId, { entityId: from.id })
  const allAspects = await listAllAspects(db, agentId, from.id)
  const aspects = pick(allAspects, input.aspectIds, 'Aspect not found')
  const whole = new Set(input.aspectIds)
  const singles = pick(all, input.attributeIds, 'Attribute not found')
  return {
    aspects,
    allAspects,
    claims: all.filter(({ aspectId }) => whole.has(aspectId)),
    singles: singles.filter(({ aspectId }) => !whole.has(aspectId)),
    links: pick(await listLinks(db, agentId, from.id), input.linkIds, 'Link not found'),
    aliases: pick(await listAliases(db, agentId, from.id), input.aliasIds, 'Alias not found'),
  }
}

function pick<Row extends { readonly id: string }>(
  rows: readonly Row[],
  ids: readonly string[],
  message: string,
): Row[] {
  const chosen = rows.filter(({ id }) => ids.includes(id))
  if (chosen.length !== new Set(ids).size) throw notFound(message)
  return chosen
}

/** Claims without their aspect go to the aspect of the same name. */
async function moveSingles(
  write: GraphWrite,
  to: Entity,
  { singles, allAspects }: Awaited<ReturnType<typeof choose>>,
): Promise<void> {
  for (const [aspectId, claims] of Map.groupBy(singles, (claim) => claim.aspectId)) {
    const former = allAspects.find(({ id }) => id === aspectId)
    if (!former) throw notFound('Aspect not found')
    const { name, weight } = former
    const { row: aspect } = await upsertAspect(write, to, { name, weight })
    await foldClaims(write, claims, aspect)
  }
}
