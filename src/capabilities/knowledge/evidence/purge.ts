import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { KnowledgeContext } from '../needs.ts'
import {
  clearMemoryIds,
  deleteCitations,
  deleteMentions,
  eraseRows,
  listAny,
  listOwners,
  listSupported,
} from '../store/evidence.ts'
import { recountMentions } from '../store/mentions.ts'
import { groupSubjects, listOwnClaims, subjectTables } from './follow.ts'

/** Deletes the hidden rows that no evidence can support any more. */
export async function purgeRows(
  needs: KnowledgeContext,
  db: Db,
  change: EvidenceChange,
): Promise<void> {
  const own = await listOwnClaims(db, change)
  if (own.length > 0) await clearMemoryIds(db, change.ids)
  const subjects = groupSubjects(await deleteCitations(db, change))
  const mentioned = change.kind === 'memory' ? await deleteMentions(db, change) : []
  const claims = await eraseUnsupported(db, 'claim', subjects.claim)
  await needs.memory.projections.purge(
    db,
    claims.map(({ id }) => id),
  )
  const links = await eraseUnsupported(db, 'link', subjects.link)
  const aspects = await eraseEmpty(db, 'aspect', [
    ...subjects.aspect,
    ...claims.map(({ aspectId }) => aspectId),
  ])
  const entities = await eraseEmpty(db, 'entity', [
    ...subjects.entity,
    ...[...claims, ...aspects].map(({ entityId }) => entityId),
    ...links.flatMap(({ sourceEntityId, targetEntityId }) => [sourceEntityId, targetEntityId]),
  ])
  await recountMentions(db, mentioned)
  const ids = [...claims, ...links, ...aspects, ...entities].map(({ id }) => id)
  if (ids.length === 0) return
  for (const { erased } of needs.erasures.list()) await erased(db, { agentId: change.agentId, ids })
}

async function eraseUnsupported<Type extends 'claim' | 'link'>(
  db: Db,
  type: Type,
  ids: readonly string[],
) {
  const table: (typeof subjectTables)[Type] = subjectTables[type]
  const supported = await listSupported(db, { type, ids })
  const rows = await listAny(db, table, ids)
  const unsupportedRows = rows.filter(
    ({ id, withheldAt }) => withheldAt !== null && !supported.has(id),
  )
  await eraseRows(
    db,
    table,
    unsupportedRows.map(({ id }) => id),
  )
  return unsupportedRows
}

/** Hidden entities and aspects that hold nothing. */
async function eraseEmpty<Type extends 'aspect' | 'entity'>(
  db: Db,
  type: Type,
  candidates: readonly string[],
) {
  const ids = [...new Set(candidates)]
  const owners = await listOwners(db, type === 'aspect' ? 'aspectId' : 'entityId', ids)
  const supported = await listSupported(db, { type, ids })
  const table: (typeof subjectTables)[Type] = subjectTables[type]
  const rows = await listAny(db, table, ids)
  const unusedRows = rows.filter(
    ({ id, withheldAt }) => withheldAt !== null && !owners.has(id) && !supported.has(id),
  )
  await eraseRows(
    db,
    table,
    unusedRows.map(({ id }) => id),
  )
  return unusedRows
}
