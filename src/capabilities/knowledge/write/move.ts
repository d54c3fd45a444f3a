import type { Db } from '../../../kernel/db/database.ts'
import type { Entity } from '../entity.ts'
import type { Link } from '../link.ts'
import { findAnyLink } from '../store/claims.ts'
import { deleteRows, insertRows, updateRows } from '../store/images.ts'
import { listCited, listMentions, recountMentions } from '../store/mentions.ts'
import type { Mention } from '../store/rows.ts'
import { archiveLink } from './archive.ts'
import { type GraphWrite, settleWrite } from './graph-write.ts'

interface Ends {
  readonly from: Entity
  readonly to: Entity
}

/** Gives links another end. A link to itself and a second link of a triple are archived. */
export async function moveLinks(
  write: GraphWrite,
  links: readonly Link[],
  { from, to }: Ends,
): Promise<number> {
  const { db, agentId, at: updatedAt } = write
  const replace = (id: string) => (id === from.id ? to.id : id)
  for (const link of links) {
    const [sourceEntityId, targetEntityId] = [link.sourceEntityId, link.targetEntityId].map(replace)
    const ends = { sourceEntityId: sourceEntityId ?? '', targetEntityId: targetEntityId ?? '' }
    const isSelf = sourceEntityId === targetEntityId
    const same = await findAnyLink(db, agentId, { ...ends, dependencyType: link.dependencyType })
    if (isSelf || same) await archiveLink(write, link, { reason: 'merged' })
    else
      await updateRows(write, { table: 'entityDependencies', rows: [link] }, { ...ends, updatedAt })
    if (same && !isSelf && same.status === 'archived') await reviveLink(write, same)
  }
  return links.length
}

async function reviveLink(write: GraphWrite, link: Link): Promise<void> {
  const { at: updatedAt } = write
  await updateRows(
    write,
    { table: 'entityDependencies', rows: [link] },
    { status: 'active', archivedAt: null, archivedBy: null, archiveReason: null, updatedAt },
  )
}

/** The memories of a merged entity mention the target. It retains mentions that its own rows cite. */
export async function mergeMentions(write: GraphWrite, { from, to }: Ends): Promise<void> {
  const { db, agentId } = write
  await settleWrite(write)
  const mentions = await listMentions(db, agentId, from.id)
  await addMentions(write, mentions, to.id)
  const isCited = await findCited(db, mentions)
  const uncited = mentions.filter((one) => !isCited(one))
  await deleteRows(write, 'memoryEntityMentions', uncited)
  await recountMentions(db, [from.id, to.id])
}

/** After claims or links moved: cited memories mention the entity, and no longer the former one. */
export async function moveCitedMentions(write: GraphWrite, { from, to }: Ends): Promise<void> {
  const { db, agentId } = write
  await settleWrite(write)
  const mentions = await listMentions(db, agentId, from.id)
  const moved = mentions.map((one) => ({ ...one, entityId: to.id }))
  const isCited = await findCited(db, [...mentions, ...moved])
  await addMentions(write, moved.filter(isCited), to.id)
  const uncited = mentions.filter((one) => one.origin === 'citation' && !isCited(one))
  await deleteRows(write, 'memoryEntityMentions', uncited)
  await recountMentions(db, [from.id, to.id])
}

type Pair = Pick<Mention, 'memoryId' | 'entityId'>

/** Decides which of the pairs rows cite. */
async function findCited(db: Db, pairs: readonly Pair[]): Promise<(pair: Pair) => boolean> {
  const keyOf = ({ memoryId, entityId }: Pair) => `${memoryId} ${entityId}`
  const cited = new Set((await listCited(db, pairs)).map(keyOf))
  return (pair) => cited.has(keyOf(pair))
}

async function addMentions(
  write: GraphWrite,
  mentions: Awaited<ReturnType<typeof listMentions>>,
  entityId: string,
): Promise<void> {
  const own = await listMentions(write.db, write.agentId, entityId)
  const known = new Set(own.map(({ memoryId }) => memoryId))
  const added = mentions.filter(({ memoryId }) => !known.has(memoryId))
  const rows = added.map((mention) => ({ ...mention, entityId }))
  await insertRows(write, 'memoryEntityMentions', rows)
}
