import type { Db } from '../../../kernel/db/database.ts'
import { settleAll } from '../../../kernel/db/transaction.ts'
import type { ErasureListener, GraphWrite } from '../../knowledge/index.ts'
import { eraseOperations, followEntities } from '../forgetting.ts'
import type { OntologyOptions } from '../needs.ts'
import { setSubjectWithheld } from '../store/forgetting.ts'
import { listParts } from '../store/rows.ts'

type Needs = Pick<OntologyOptions, 'knowledge' | 'host'>
type Withheld = Parameters<ErasureListener['withheld']>[1]

/** Assertions follow the rows of the graph. Those of a merged entity follow its target. */
export function createErasureListener(needs: Needs): ErasureListener {
  return {
    erased: async (db, { agentId, ids }) => {
      const { subjects } = needs.knowledge
      const subjectIds: string[] = []
      for (const part of listParts(ids))
        subjectIds.push(...(await subjects.listWithMerged(db, agentId, part)))
      await eraseOperations(db, { agentId, ids, subjectIds })
    },
    withheld: async (db, { ids, ...entities }) => {
      // Sent together: the database works on them in order.
      await settleAll([
        followEntities(db, { ...entities, ids }, needs.host.now().toISOString()),
        ...listParts(ids).map((part) => followSubjects(needs, db, { ...entities, ids: part })),
      ])
    },
  }
}

/** Hides the assertions whose subject is withheld, and shows the others. */
async function followSubjects(
  { knowledge: { subjects } }: Needs,
  db: Db,
  { agentId, ids, withheldAt }: Withheld,
): Promise<void> {
  const all = await subjects.listWithMerged(db, agentId, ids)
  const visible = await subjects.read(db, agentId, all)
  const visibleIds = all.filter((id) => visible.has(id))
  await setSubjectWithheld(db, { agentId, ids: visibleIds, withheldAt: null })
  if (withheldAt === null) return
  const hiddenIds = all.filter((id) => !visible.has(id))
  await setSubjectWithheld(db, { agentId, ids: hiddenIds, withheldAt })
}

/** Undoing a merge, or creating a merged entity again, separates its assertions from the target. */
export async function followStatus(
  needs: Needs,
  { db, agentId, at: withheldAt, changes }: GraphWrite,
): Promise<void> {
  const changed = changes.filter(
    ({ table, before, after }) =>
      table === 'entities' && before !== null && before['status'] !== after?.['status'],
  )
  const ids = changed.map(({ rowId }) => rowId)
  for (const part of listParts(ids))
    await followSubjects(needs, db, { agentId, ids: part, withheldAt })
}
