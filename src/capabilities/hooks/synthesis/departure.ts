import { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import type { JobKind } from '../../../kernel/jobs/kind.ts'
import type { HooksNeeds } from '../needs.ts'
import { removeLastRun } from './last-run.ts'
import { putAway, removeMemoryFile } from './memory-file.ts'
import { deleteHead, findHead } from './store.ts'

const kind = 'hooks.departed-memory'
const payloadOf = z.object({ agentId: z.string(), keep: z.boolean() })

/** What becomes of `MEMORY.md` when its agent goes; part of that transaction. */
export async function leaveMemory(
  { jobs }: HooksNeeds,
  db: Db,
  payload: z.infer<typeof payloadOf>,
): Promise<void> {
  await deleteHead(db, payload.agentId)
  // Not as a job of the agent: it outlives it.
  await jobs.enqueue(db, { kind, payload, maxAttempts: 5 })
}

export function departedMemoryJob(needs: HooksNeeds): JobKind {
  return {
    kind,
    run: async ({ payload }) => {
      const { agentId, keep } = payloadOf.parse(payload)
      // What is there by then is of another agent of the same name.
      if ((await findHead(needs.background, agentId))?.writtenAt) return
      await (keep ? putAway : removeMemoryFile)(needs, agentId)
      await removeLastRun(needs, agentId)
    },
  }
}
