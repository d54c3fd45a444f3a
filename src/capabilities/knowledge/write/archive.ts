import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import type { Link } from '../link.ts'
import { listClaims, listLinks } from '../store/claims.ts'
import { listAliases, listAllAspects } from '../store/entities.ts'
import { updateRows } from '../store/images.ts'
import { archiveAlias } from './aliases.ts'
import { assertUnpinned, setEntity } from './entities.ts'
import type { GraphWrite } from './graph-write.ts'
import { graphRefusal } from './refusals.ts'

interface ArchiveInput {
  readonly reason: string | null
  /** Also archives pinned rows and constraints. */
  readonly force: boolean
}

/** Claims and links that one transaction may move or archive. */
const maxMoved = 5_000

export function assertMovable(counts: { readonly claims: number; readonly links: number }): void {
  if (counts.claims + counts.links > maxMoved) throw graphRefusal('too_large', counts)
}

export function archivedFields(
  { at, actor, proposalId }: GraphWrite,
  { reason }: Pick<ArchiveInput, 'reason'>,
) {
  const archive = { archivedAt: at, archivedBy: actor.name, archiveReason: reason }
  return { ...archive, proposalId, updatedAt: at }
}

/** The entity with its aspects, claims and links. Returns the ids of its archived claims. */
export async function archiveEntity(
  write: GraphWrite,
  entity: Entity,
  input: ArchiveInput,
): Promise<readonly string[]> {
  const { db, agentId } = write
  assertUnpinned(entity, input.force)
  const claims = await listClaims(db, agentId, { entityId: entity.id })
  const links = await listLinks(db, agentId, entity.id)
  assertMovable({ claims: claims.length, links: links.length })
  const ids = await archiveClaims(write, claims, input)
  for (const link of links) await archiveLink(write, link, input)
  const aspects = await listAllAspects(db, agentId, entity.id)
  await archiveAspectRows(write, aspects, input)
  // Other entities may take its aliases.
  for (const alias of await listAliases(db, agentId, entity.id)) await archiveAlias(write, alias)
  await setEntity(write, entity, { status: 'archived', ...archivedFields(write, input) })
  return ids
}

/** The aspect with its claims. Returns their ids. */
export async function archiveAspect(
  write: GraphWrite,
  aspect: Aspect,
  input: ArchiveInput,
): Promise<readonly string[]> {
  const claims = await listClaims(write.db, write.agentId, { aspectId: aspect.id })
  const ids = await archiveClaims(write, claims, input)
  await archiveAspectRows(write, [aspect], input)
  return ids
}

async function archiveAspectRows(
  write: GraphWrite,
  aspects: readonly Aspect[],
  input: ArchiveInput,
): Promise<void> {
  const rows = aspects.filter(({ status }) => status === 'active')
  const set = { status: 'archived', ...archivedFields(write, input) } as const
  await updateRows(write, { table: 'entityAspects', rows }, set)
}

export async function archiveClaims(
  write: GraphWrite,
  claims: readonly Claim[],
  input: ArchiveInput,
): Promise<readonly string[]> {
  const rows = claims.filter(({ status }) => status !== 'deleted')
  assertReplaceable(rows, input.force)
  const set = { status: 'deleted', ...archivedFields(write, input) } as const
  await updateRows(write, { table: 'entityAttributes', rows }, set)
  const ids = rows.map(({ id }) => id)
  for (const id of ids) write.touched.claims.add(id)
  return ids
}

/** Pinned claims and constraints resist. */
export function assertReplaceable(claims: readonly Claim[], force: boolean): void {
  const isProtected = ({ status, pinned, kind }: Claim) =>
    status === 'active' && (pinned === 1 || kind === 'constraint')
  const ids = claims.filter(isProtected).map(({ id }) => id)
  if (ids.length > 0 && !force) throw graphRefusal('claim_protected', { ids: ids.slice(0, 20) })
}

export async function archiveLink(
  write: GraphWrite,
  link: Link,
  { reason }: Pick<ArchiveInput, 'reason'>,
): Promise<Link> {
  if (link.status === 'archived') return link
  const set = { status: 'archived', ...archivedFields(write, { reason }) } as const
  await updateRows(write, { table: 'entityDependencies', rows: [link] }, set)
  return { ...link, ...set }
}
