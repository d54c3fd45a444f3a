import { z } from 'zod'
import type { DiagnosticsNeeds } from './needs.ts'

type WorkloadNeeds = Pick<DiagnosticsNeeds, 'gate' | 'modelCalls' | 'self'>

/** Operations of these kinds work on whole sessions. */
const sessionOperations = ['session_synthesis', 'dreaming']

/** What runs now; reads memory alone. */
export function readWorkloads({ gate, modelCalls, self }: WorkloadNeeds) {
  const active = gate.active()
  const sessions = active.filter(({ operation }) => sessionOperations.includes(operation))
  const byOperation = Map.groupBy(active, ({ operation }) => operation)
  const dreaming = byOperation.get('dreaming') ?? []
  return {
    agentId: self.agentId,
    inference: {
      active: active.length,
      agentSessions: sessions.length,
      oldestAgeMs: findOldest(active),
      oldestAgentSessionAgeMs: findOldest(sessions),
      byOperation: Object.fromEntries([...byOperation].map(([name, { length }]) => [name, length])),
    },
    providerSemaphore: modelCalls(),
    dreaming: { active: dreaming.length, oldestAgeMs: findOldest(dreaming) },
    // No harness of this kind is supported.
    pi: { active: 0, oldestAgeMs: null },
  }
}

function findOldest(operations: readonly { readonly ageMs: number }[]): number | null {
  return operations.length === 0 ? null : Math.max(...operations.map(({ ageMs }) => ageMs))
}

const age = z.int().nullable()

export const workloadsReply = z.object({
  agentId: z.string(),
  /** Background operations. */
  inference: z.object({
    active: z.int(),
    agentSessions: z.int(),
    oldestAgeMs: age,
    oldestAgentSessionAgeMs: age,
    byOperation: z.record(z.string(), z.int()),
  }),
  /** Running model calls by their limit. */
  providerSemaphore: z.looseObject({ total: z.int() }),
  dreaming: z.object({ active: z.int(), oldestAgeMs: age }),
  pi: z.object({ active: z.int(), oldestAgeMs: age }),
})
