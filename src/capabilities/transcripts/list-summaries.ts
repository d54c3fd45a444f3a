import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { countChildren, countSummaries, listSummaries } from './store/summaries.ts'
import type { Summary } from './summary.ts'

export interface ListSummaries {
  readonly project?: string | undefined
  readonly depth?: number | undefined
  readonly sessionKey?: string | undefined
  readonly limit: number
  readonly offset: number
}

export interface ListedSummary extends Summary {
  readonly childCount: number
}

export async function readSummaries(
  { db }: Pick<TranscriptsNeeds, 'db'>,
  caller: Caller,
  { limit, offset, ...filters }: ListSummaries,
): Promise<{ readonly summaries: readonly ListedSummary[]; readonly total: number }> {
  if (filters.project !== undefined) assertInProject(caller, filters.project)
  const { agentId, scope } = caller
  const filter = { ...filters, agentId, project: filters.project ?? scope.project }
  const page = await listSummaries(db, filter, { limit, offset })
  const children = await countChildren(
    db,
    agentId,
    page.map(({ id }) => id),
  )
  const summaries = page.map((node) => ({ ...node, childCount: children.get(node.id) ?? 0 }))
  return { summaries, total: await countSummaries(db, filter) }
}
