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
  if (memoryIds.length === 0) return new Map()
  const replaced = await selectReplaced(db, { agentId, memoryIds })
  const chains = await readChains(db, agentId, replaced)
  const byMemory = Map.groupBy(replaced, ({ memoryId }) => memoryId)
  const successors = [...byMemory].map(([id, claims]) => {
    const sources = claims.flatMap(({ claimId }) => findCurrent(chains, claimId))
    return [id, listNewestFirst(id, sources)] as const
  })
  return new Map(successors.filter(([, ids]) => ids.length > 0))
}

type Source = Awaited<ReturnType<typeof selectSources>>[number]
/** Rows of claims by their ids: one for each memory that a claim cites, or one without a memory. */
type Chains = ReadonlyMap<string, readonly Source[]>

/** Reads the claims that replaced others, and what replaced these. Each claim is read once. */
async function readChains(
  db: Db,
  agentId: string,
  replaced: readonly { readonly claimId: string | null }[],
): Promise<Chains> {
  const chains = new Map<string, readonly Source[]>()
  let claimIds = [...new Set(replaced.flatMap(({ claimId }) => claimId ?? []))]
  for (let step = 0; claimIds.length > 0 && step < maxSteps; step += 1) {
    const sources = await selectSources(db, { agentId, claimIds })
    for (const [id, rows] of Map.groupBy(sources, ({ claimId }) => claimId)) chains.set(id, rows)
    const next = new Set(sources.flatMap((source) => source.supersededBy ?? []))
    claimIds = [...next].filter((id) => !chains.has(id))
  }
  return chains
}

/** The memories of the claim at the end of a chain. */
function findCurrent(chains: Chains, first: string | null): readonly Source[] {
  let claimId = first
  for (let step = 0; claimId !== null && step < maxSteps; step += 1) {
    const sources: readonly Source[] = chains.get(claimId) ?? []
    const [claim] = sources
    if (claim?.status === 'active') return claim.withheldAt === null ? sources : []
    claimId = claim?.supersededBy ?? null
  }
  return []
}

function listNewestFirst(memoryId: string, sources: readonly Source[]): readonly string[] {
  const newestFirst = sources.toSorted((a, b) =>
    (b.sourceTime ?? '').localeCompare(a.sourceTime ?? ''),
  )
  const ids = new Set(newestFirst.flatMap(({ sourceId }) => sourceId ?? []))
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

/** The claims with the memories that they cite. A chain goes on through claims without memories. */
const selectSources = compileSelectOnce((db, { agentId, claimIds }: OfClaims) =>
  tables(db)
    .selectFrom('entityAttributes as claim')
    .leftJoin('knowledgeCitations as source', (join) =>
      join
        .onRef('source.subjectId', '=', 'claim.id')
        .on('source.subjectType', '=', 'claim')
        .on('source.sourceKind', '=', 'memory')
        .on('source.lostAt', 'is', null),
    )
    .select([
      'claim.id as claimId',
      'claim.status',
      'claim.supersededBy',
      'claim.withheldAt',
      'source.sourceId',
      'source.sourceTime',
    ])
    .where('claim.id', 'in', claimIds)
    .where('claim.agentId', '=', agentId),
)
