import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import { listClaims, listLinks } from '../store/claims.ts'
import { listAliases, listAllAspects } from '../store/entities.ts'
import { updateRows } from '../store/images.ts'
import { mergeReason } from '../store/subjects.ts'
import { addAlias, archiveAlias } from './aliases.ts'
import { archivedFields, assertMovable } from './archive.ts'
import { assertOwnRow, setEntity } from './entities.ts'
import { foldClaims } from './fold-claims.ts'
import type { GraphWrite } from './graph-write.ts'
import { mergeMentions, moveLinks } from './move.ts'
import { graphRefusal } from './refusals.ts'

interface MergeInput {
  readonly target: Entity
  readonly sources: readonly Entity[]
  /** Also merges pinned sources and other types. */
  readonly force: boolean
}

interface Merged {
  readonly entityId: string
  readonly name: string
  readonly movedAspects: number
  readonly relationshipsChanged: number
}

/** Moves everything of the sources to the target, and archives them. Their names become aliases. */
export async function mergeEntities(
  write: GraphWrite,
  { target, sources, force }: MergeInput,
): Promise<readonly Merged[]> {
  for (const source of sources) assertMergeable(target, source, force)
  const parts: Parts[] = []
  for (const source of sources) parts.push(await readParts(write, source))
  assertMovable({
    claims: parts.reduce((sum, { claims }) => sum + claims.length, 0),
    links: parts.reduce((sum, { links }) => sum + links.length, 0),
  })
  const merged: Merged[] = []
  // Rows of one source may change with those of another.
  for (const source of sources)
    merged.push(await mergeOne(write, target, await readParts(write, source)))
  // A repeated merge changes nothing.
  if (merged.length > 0) await setEntity(write, target, { updatedAt: write.at })
  return merged
}

function assertMergeable(target: Entity, source: Entity, force: boolean): void {
  if (source.id === target.id) throw invalidRequest('target and sources must differ')
  assertOwnRow(source)
  assertOwnRow(target)
  if (force) return
  if (source.pinned) throw graphRefusal('entity_protected', { id: source.id })
  if (source.entityType !== target.entityType)
    throw graphRefusal('type_mismatch', { id: source.id })
}

async function readParts({ db, agentId }: GraphWrite, source: Entity) {
  const claims = await listClaims(db, agentId, { entityId: source.id })
  return { source, claims, links: await listLinks(db, agentId, source.id) }
}

type Parts = Awaited<ReturnType<typeof readParts>>

async function mergeOne(
  write: GraphWrite,
  target: Entity,
  { source, claims, links }: Parts,
): Promise<Merged> {
  const movedAspects = await mergeAspects(write, target, { source, claims })
  const relationshipsChanged = await moveLinks(write, links, { from: source, to: target })
  await mergeMentions(write, { from: source, to: target })
  const reason = mergeReason(target)
  const archived = { ...archivedFields(write, { reason }), status: 'archived' } as const
  await setEntity(write, source, { ...archived, pinned: 0, pinnedAt: null })
  await moveAliases(write, target, source)
  return { entityId: source.id, name: source.name, movedAspects, relationshipsChanged }
}

/** An aspect moves, or its claims move into the aspect of that name. */
async function mergeAspects(
  write: GraphWrite,
  target: Entity,
  { source, claims }: Pick<Parts, 'source' | 'claims'>,
): Promise<number> {
  const { db, agentId } = write
  const own = new Map(
    (await listAllAspects(db, agentId, target.id)).map((aspect) => [aspect.canonicalName, aspect]),
  )
  const aspects = await listAllAspects(db, agentId, source.id)
  let moved = 0
  for (const aspect of aspects) {
    const values = claims.filter(({ aspectId }) => aspectId === aspect.id)
    const same = own.get(aspect.canonicalName)
    if (!same) await moveAspect(write, aspect, { to: target, values })
    else await foldAspect(write, { aspect, into: same, values })
    if (aspect.status === 'active') moved += 1
  }
  for (const { id } of claims) write.touched.renamed.add(id)
  return moved
}

async function moveAspect(
  write: GraphWrite,
  aspect: Aspect,
  { to, values }: { readonly to: Entity; readonly values: readonly Claim[] },
): Promise<void> {
  const set = { entityId: to.id, updatedAt: write.at }
  await updateRows(write, { table: 'entityAspects', rows: [aspect] }, set)
  await updateRows(write, { table: 'entityAttributes', rows: values }, set)
}

async function foldAspect(
  write: GraphWrite,
  {
    aspect,
    into,
    values,
  }: { readonly aspect: Aspect; readonly into: Aspect; readonly values: readonly Claim[] },
): Promise<void> {
  const { at: updatedAt } = write
  if (into.status === 'archived' && aspect.status === 'active')
    await updateRows(
      write,
      { table: 'entityAspects', rows: [into] },
      { status: 'active', archivedAt: null, archivedBy: null, archiveReason: null, updatedAt },
    )
  if (aspect.status === 'active') {
    const set = { ...archivedFields(write, { reason: 'merged' }), status: 'archived' } as const
    await updateRows(write, { table: 'entityAspects', rows: [aspect] }, set)
  }
  await foldClaims(write, values, into)
}

async function moveAliases(write: GraphWrite, target: Entity, source: Entity): Promise<void> {
  const { db, agentId, at: updatedAt } = write
  const aliases = await listAliases(db, agentId, source.id)
  for (const alias of aliases)
    if (alias.canonicalAlias === target.canonicalName) await archiveAlias(write, alias)
  const moved = aliases.filter(({ canonicalAlias }) => canonicalAlias !== target.canonicalName)
  const set = { entityId: target.id, updatedAt }
  await updateRows(write, { table: 'entityAliases', rows: moved }, set)
  write.touched.entities.add(target.id)
  if (source.canonicalName === target.canonicalName) return
  await addAlias(write, target, { alias: source.name, confidence: 1, source: 'merge' })
}
