import { z } from 'zod'
import type { JobKind } from '../../kernel/jobs/kind.ts'
import type { IdlePage } from '../sessions/index.ts'
import type { SynthesisOptions } from './needs.ts'
import { listHeads } from './store.ts'
import { busy, minIntervalMinutes, writeMemory } from './write.ts'

/** Jobs of this kind may wait in a database, so it has the name of the capability that had it first. */
const kind = 'hooks.synthesis'
const minuteMs = 60_000
const pageSize = 200
const payloadOf = z.object({ agentId: z.string(), force: z.boolean() })

export function synthesisJob(needs: SynthesisOptions): JobKind {
  const { background: db, config } = needs
  return {
    kind,
    timeoutMs: config().timeout,
    run: async ({ payload }) => {
      const trigger = payloadOf.parse(payload)
      const { reason } = await writeMemory({ ...needs, db }, trigger)
      if (trigger.force && reason === busy)
        throw new Error('MEMORY.md is being written by another worker. The job retries.')
    },
  }
}

/** Enqueues a write that skips the minimum interval. */
export async function requestRefresh(
  { db, jobs, config }: SynthesisOptions,
  agentId: string,
): Promise<void> {
  if (!config().enabled) return
  const job = { kind, agentId, dedupeKey: `forced:${agentId}`, payload: { agentId, force: true } }
  await jobs.enqueue(db, job)
}

/** Enqueues a write for each idle agent with new sessions since its last write. */
export async function enqueueIdleAgents(needs: SynthesisOptions): Promise<void> {
  const { enabled, idleGapMinutes } = needs.config()
  if (!enabled) return
  const endedBefore = minutesAgo(needs, idleGapMinutes)
  for (let after: string | undefined = ''; after !== undefined; )
    after = await enqueuePage(needs, { endedBefore, after, limit: pageSize })
}

/** Returns the cursor of the next page. Undefined after the last. */
async function enqueuePage(needs: SynthesisOptions, page: IdlePage): Promise<string | undefined> {
  const { background: db, sessions, jobs } = needs
  const idle = await sessions.listIdle(db, page)
  const names = idle.map(({ agentId }) => agentId)
  const heads = new Map((await listHeads(db, names)).map((head) => [head.agentId, head]))
  const writtenBefore = minutesAgo(needs, minIntervalMinutes)
  const due = idle.filter(({ agentId, endedAt }) => {
    const { lookedAt, writtenAt } = heads.get(agentId) ?? {}
    return (lookedAt ?? '') <= endedAt && (writtenAt ?? '') <= writtenBefore
  })
  for (const { agentId } of due)
    await jobs.enqueue(db, {
      ...{ kind, agentId, dedupeKey: agentId, payload: { agentId, force: false } },
    })
  return idle.length < page.limit ? undefined : names.at(-1)
}

function minutesAgo({ host }: SynthesisOptions, minutes: number): string {
  return new Date(host.now().getTime() - minutes * minuteMs).toISOString()
}
