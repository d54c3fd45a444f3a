import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { FoundMemory } from '../memory/index.ts'
import { aggregateSource } from './aggregate.ts'
import type { RecallNeeds } from './needs.ts'
import type { Degradation } from './scored.ts'

export interface SimilarRequest {
  readonly id: string
  readonly limit: number
  readonly type: string | undefined
}

export interface Similar {
  readonly rows: readonly { readonly memory: FoundMemory; readonly score: number }[]
  readonly degradation: Degradation | undefined
}

/** The memories whose meaning is nearest to one that the caller may read. */
export async function findSimilar(
  { agents, db, embeddings, engine, host, memory: { search } }: RecallNeeds,
  caller: Caller,
  { id, limit, type }: SimilarRequest,
): Promise<Similar> {
  const readScope = await agents.readScopeOf(db, caller)
  const filters = { scope: null, type }
  const request = { readScope, filters, limit, exceptSourceType: aggregateSource }
  // Asked first, and the same answer for both: who may not read it learns nothing of its vector.
  const isInSight = (await search.listVisible([id], readScope)).length > 0
  if (!isInSight || !(await embeddings.vectorOf(id))) throw withoutVector()
  const answer = await engine.similar({ ...request, id, identity: embeddings.activeIdentity() })
  if (!answer) throw withoutVector()
  const { degraded } = answer
  if (degraded) return { rows: [], degradation: { stages: ['index'], cause: degraded } }
  const ids = answer.candidates.map((candidate) => candidate.id)
  const found = await search.listFound({ ids, at: host.now().toISOString() }, request)
  const byId = new Map(found.map(({ memory }) => [memory.id, memory]))
  const rows = answer.candidates.flatMap(({ id, score }) => {
    const memory = byId.get(id)
    return memory ? [{ memory, score }] : []
  })
  return { rows, degradation: undefined }
}

function withoutVector(): Refusal {
  const message = 'No embedding found for this memory'
  return new Refusal('not_found', 'no_embedding', message, { results: [] })
}
