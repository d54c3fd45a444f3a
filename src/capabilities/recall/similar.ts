import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { FoundMemory } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import { answerWith, type Degradation } from './replies.ts'
import { aggregateSource } from './result.ts'

interface SimilarResult {
  readonly rows: readonly { readonly memory: FoundMemory; readonly score: number }[]
  readonly degradation?: Degradation
}

/** Finds the nearest neighbours of a memory that the caller may read. */
export async function findSimilar(
  { agents, db, embeddings, engine, host, memory: { search } }: RecallNeeds,
  caller: Caller,
  { id, limit, type }: z.output<typeof similarQuery>,
): Promise<SimilarResult> {
  const readScope = await agents.readScopeOf(db, caller)
  const filters = { scope: null, type }
  const request = { readScope, filters, limit, exceptSourceType: aggregateSource }
  // Unreadable memories and missing vectors get the same refusal, so it reveals no vector.
  const isVisible = (await search.listVisible([id], readScope)).length > 0
  if (!isVisible || !(await embeddings.vectorOf(id))) throw createNoVectorRefusal()
  const answer = await engine.similar({ ...request, id, identity: embeddings.activeIdentity() })
  if (!answer) throw createNoVectorRefusal()
  const { degraded } = answer
  if (degraded) return { rows: [], degradation: { stages: ['index'], cause: degraded } }
  const ids = answer.candidates.map((candidate) => candidate.id)
  const memories = await search.listFound({ ids, at: host.now().toISOString() }, request)
  const byId = new Map(memories.map(({ memory }) => [memory.id, memory]))
  const rows = answer.candidates.flatMap(({ id, score }) => {
    const memory = byId.get(id)
    return memory ? [{ memory, score }] : []
  })
  return { rows }
}

function createNoVectorRefusal(): Refusal {
  const message = 'No embedding found for this memory'
  return new Refusal('not_found', 'no_embedding', message, { results: [] })
}

export const similarQuery = z
  .object({
    agentId: value.ignored,
    agent_id: value.ignored,
    id: value.required('id'),
    k: value.integer('k', { min: 1, max: 100, default: 10 }),
    type: value.text,
  })
  .transform(({ id, k: limit, type }) => ({ id, limit, type }))

export const similarReply = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      type: z.string(),
      tags: z.array(z.string()).readonly(),
      score: z.number(),
      confidence: z.number().nullable(),
      created_at: z.string(),
    }),
  ),
})

export function toSimilarAnswer({ rows, degradation }: SimilarResult) {
  const results = rows.map(({ memory, score }) => {
    const { id, content, type, tags, confidence, createdAt: created_at } = memory
    return { id, content, type, tags, confidence, created_at, score: Math.round(score * 100) / 100 }
  })
  return answerWith({ results }, degradation)
}
