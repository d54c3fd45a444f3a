import { hash } from 'node:crypto'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { FoundMemory } from '../../memory/index.ts'
import type { RecallNeeds } from '../needs.ts'
import { aggregateSource } from '../result.ts'
import type { RecallRequest } from '../schemas.ts'
import type { Evidence } from './evidence.ts'

export const aggregateFields = {
  type: 'semantic',
  who: 'svc',
  importance: 0.75,
  tags: ['aggregate', 'recall'],
} as const

/** The same question over the same sources has the same key. */
export function toKey(
  { agentId, scope }: Caller,
  { query, project = scope.project ?? '', aggregateBudget }: RecallRequest,
  sourceIds: readonly string[],
): string {
  const normalized = query.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const parts = [agentId, project, normalized, aggregateBudget, ...sourceIds.toSorted()]
  return `aggregate-recall:${hash('sha256', parts.join('\0'))}`
}

interface Aggregated {
  readonly request: RecallRequest
  readonly key: string
  readonly text: string
  readonly evidence: readonly Evidence[]
  readonly sourceIds: readonly string[]
}

interface SavedAggregate {
  readonly id: string
  readonly deduped: boolean
  /** The text of the winner of a race. */
  readonly content: string
}

/** Undefined if a source was forgotten while the model wrote. */
export async function saveAggregate(
  { memory }: Pick<RecallNeeds, 'memory'>,
  caller: Caller,
  { request, key, text, evidence, sourceIds }: Aggregated,
): Promise<SavedAggregate | undefined> {
  const { query, project, scope } = request
  try {
    const saved = await memory.remember(caller, {
      ...aggregateFields,
      content: text,
      pinned: false,
      sourceType: aggregateSource,
      idempotencyKey: key,
      visibility: isShared(caller, evidence) ? 'global' : 'private',
      project,
      ...(scope !== null && { scope }),
      derivedFrom: sourceIds,
      evidence: { query, sourceMemoryIds: sourceIds },
    })
    return { id: saved.memory.id, deduped: saved.deduped, content: saved.memory.content }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'source_forgotten') return undefined
    throw error
  }
}

/** Readers of the saved row may read its sources only if all are the agent's own and global. */
function isShared({ agentId }: Caller, evidence: readonly Evidence[]): boolean {
  return evidence.every(({ candidate: { memory } }) => isOwnGlobal(memory, agentId))
}

function isOwnGlobal(memory: FoundMemory | undefined, agentId: string): boolean {
  return memory?.visibility === 'global' && memory.agentId === agentId
}
