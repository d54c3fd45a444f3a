import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Longer chains of replaced claims are not followed. */
const maxSteps = 16

/** The memories that support what replaced the claims of memories; the newest source first. */
export async function listSuccessorMemories(
  db: Db,
  agentId: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, Source[]>()
  let open = memoryIds.length === 0 ? [] : await selectReplaced(db, { agentId, memoryIds })
  for (let step = 0; open.length > 0 && step < maxSteps; step += 1) {
    const claimIds = [...new Set(open.flatMap(({ claimId }) => claimId ?? []))]
    const sources = Map.groupBy(
      await selectSources(db, { agentId, claimIds }),
      ({ claimId }) => claimId,
    )
    const reached = open.flatMap(({ memoryId, claimId }) =>
      (sources.get(claimId ?? '') ?? []).map((source) => ({ memoryId, source })),
    )
    for (const { memoryId, source } of reached)
      if (source.status === 'active') found.set(memoryId, [...(found.get(memoryId) ?? []), source])
    open = reached.flatMap(({ memoryId, source: { status, supersededBy } }) =>
      status === 'superseded' && supersededBy !== null ? [{ memoryId, claimId: supersededBy }] : [],
    )
  }
  return new Map([...found].map(([id, sources]) => [id, listNewestFirst(id, sources)]))
}

type Source = Awaited<ReturnType<typeof selectSources>>[number]

function listNewestFirst(memoryId: string, sources: readonly Source[]): readonly string[] {
  const newestFirst = sources.toSorted((a, b) => b.sourceTime.localeCompare(a.sourceTime))
  const ids = new Set(newestFirst.map(({ sourceId }) => sourceId))
  ids.delete(memoryId)
  return [...ids]
}

interface OfMemories {
  readonly agentId: string
  readonly memoryIds: readonly string[]
}

/** The claims that replaced those of the memories. */
const selectReplaced = compileSelectOnce((db, { agentId, memoryIds }: OfMemories) =>
  tables(db)
    .selectFrom('knowledgeCitations as citation')
    .innerJoin('entityAttributes as claim', 'claim.id', 'citation.subjectId')
    .select(['citation.sourceId as memoryId', 'claim.supersededBy as claimId'])
    .where('citation.sourceId', 'in', memoryIds)
    .where('citation.sourceKind', '=', 'memory')
    .where('citation.agentId', '=', agentId)
    .where('citation.subjectType', '=', 'claim')
    .where('citation.lostAt', 'is', null)
    .where('claim.status', '=', 'superseded')
    .where('claim.supersededBy', 'is not', null)
    .where('claim.withheldAt', 'is', null),
)

interface OfClaims {
  readonly agentId: string
  readonly claimIds: readonly string[]
}

/** The claims with the memories that they cite. */
const selectSources = compileSelectOnce((db, { agentId, claimIds }: OfClaims) =>
  tables(db)
    .selectFrom('entityAttributes as claim')
    .innerJoin('knowledgeCitations as source', 'source.subjectId', 'claim.id')
    .select([
      'claim.id as claimId',
      'claim.status',
      'claim.supersededBy',
      'source.sourceId',
      'source.sourceTime',
    ])
    .where('claim.id', 'in', claimIds)
    .where('claim.withheldAt', 'is', null)
    .where('source.subjectType', '=', 'claim')
    .where('source.sourceKind', '=', 'memory')
    .where('source.agentId', '=', agentId)
    .where('source.lostAt', 'is', null),
)
