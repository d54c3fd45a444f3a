import { z } from 'zod'
import type { AgentRemoval } from '../../kernel/capability/capability.ts'
import type { JobKind } from '../../kernel/jobs/kind.ts'
import { archiveMemoryFile, removeLastRun, removeMemoryFile } from './memory-file.ts'

import type { SynthesisOptions } from './needs.ts'
import { deleteHead, findHead } from './store.ts'

/** Jobs of this kind may wait in a database, so it has the name of the capability that had it first. */
const kind = 'hooks.departed-memory'
const payloadOf = z.object({ agentId: z.string(), keep: z.boolean() })

/** Deletes the row in the transaction of the removal, and the file in a job. */
export function agentRemoval({ jobs }: SynthesisOptions): AgentRemoval {
  const remove =
    (keep: boolean): AgentRemoval['archive'] =>
    async (db, agentId) => {
      await deleteHead(db, agentId)
      // The job has no agent, because the removal deletes the jobs of the agent.
      await jobs.enqueue(db, { kind, payload: { agentId, keep }, maxAttempts: 5 })
    }
  return { archive: remove(true), purge: remove(false) }
}

export function removalJob(options: SynthesisOptions): JobKind {
  return {
    kind,
    run: async ({ payload }) => {
      const { agentId, keep } = payloadOf.parse(payload)
      // A row written after the removal belongs to a new agent of the same name.
      if ((await findHead(options.background, agentId))?.writtenAt) return
      await (keep ? archiveMemoryFile : removeMemoryFile)(options, agentId)
      await removeLastRun(options, agentId)
    },
  }
}
