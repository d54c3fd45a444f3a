import type { Db } from '../../../kernel/db/database.ts'
import { type Citation, hashQuote, maxCitations, type SubjectType } from '../claim.ts'
import { listCitations } from '../store/claims.ts'
import { deleteRows, insertRows } from '../store/images.ts'
import { listLinked } from '../store/mentions.ts'
import type { GraphWrite } from './graph-write.ts'
import { graphRefusal } from './refusals.ts'

interface Subject {
  readonly type: SubjectType
  readonly id: string
  /** The entities that the subject is about. */
  readonly entityIds: readonly string[]
}

/** Adds the sources of the operation to a row, and links their memories to its entities. */
export async function cite(write: GraphWrite, subject: Subject, isNew = false): Promise<void> {
  const { db, agentId, at: createdAt, proposalId, sources } = write
  if (sources.length === 0) throw new Error('A row of the graph needs a source.')
  const stored = isNew ? [] : await listCitations(db, subject.type, [subject.id])
  const pending = write.citations.filter(
    ({ subjectType, subjectId }) => subjectType === subject.type && subjectId === subject.id,
  )
  const known = new Set([...stored, ...pending].map(identify))
  const cited = sources
    .map((source) => ({
      ...source,
      agentId,
      subjectType: subject.type,
      subjectId: subject.id,
      quoteHash: hashQuote(source.quote),
      proposalId,
      createdAt,
      lostAt: null,
    }))
    .filter((one) => !known.has(identify(one)) && known.add(identify(one)))
  await makeRoom(write, stored, cited)
  write.citations.push(...cited)
  for (const entityId of subject.entityIds)
    await mention(write, entityId, isNew && subject.type === 'entity')
}

function identify({ sourceKind, sourceId, quoteHash }: Citation): string {
  return JSON.stringify([sourceKind, sourceId, quoteHash])
}

/** Deletes the oldest citation of an equal source. */
async function makeRoom(
  write: GraphWrite,
  stored: readonly Citation[],
  added: readonly Citation[],
): Promise<void> {
  const excess = stored.length + added.length - maxCitations
  if (excess <= 0) return
  const isEqualSource = ({ sourceKind, sourceId }: Citation) =>
    added.some((one) => one.sourceKind === sourceKind && one.sourceId === sourceId)
  const oldest = stored.filter(isEqualSource).slice(0, excess)
  if (oldest.length < excess) throw graphRefusal('too_many', { limit: maxCitations })
  await deleteRows(write, 'knowledgeCitations', oldest)
}

/** Links the memories of the operation to an entity, once. */
async function mention(write: GraphWrite, entityId: string, isNew: boolean): Promise<void> {
  const { db, agentId, touched, known } = write
  if (touched.mentioned.has(entityId)) return
  touched.mentioned.add(entityId)
  const memoryIds = new Set(
    write.sources.flatMap(({ sourceKind, sourceId }) =>
      sourceKind === 'memory' ? [sourceId] : [],
    ),
  )
  if (memoryIds.size === 0) return
  const stored = isNew
    ? []
    : (known?.listMentioned(entityId, memoryIds) ?? (await readMentioned(db, entityId, memoryIds)))
  for (const memoryId of stored) memoryIds.delete(memoryId)
  const mentions = [...memoryIds].map((memoryId) => ({
    memoryId,
    entityId,
    agentId,
    origin: 'citation' as const,
    lostAt: null,
  }))
  if (mentions.length > 0) touched.newlyMentioned.add(entityId)
  await insertRows(write, 'memoryEntityMentions', mentions)
}

async function readMentioned(db: Db, entityId: string, memoryIds: ReadonlySet<string>) {
  const linked = await listLinked(db, { entityIds: [entityId], memoryIds: [...memoryIds] })
  return linked.map(({ memoryId }) => memoryId)
}

/** Private when any source is private. */
export function visibilityOf({ sources }: GraphWrite): 'global' | 'private' {
  return sources.some(({ visibility }) => visibility === 'private') ? 'private' : 'global'
}
