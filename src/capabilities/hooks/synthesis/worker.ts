import { z } from 'zod'
import type { JobKind } from '../../../kernel/jobs/kind.ts'
import type { IdlePage } from '../../sessions/index.ts'
import type { HooksNeeds } from '../needs.ts'
import { listHeads } from './store.ts'
import { busy, minIntervalMinutes, writeMemory } from './write.ts'

const kind = 'hooks.synthesis'
const minuteMs = 60_000
const pageSize = 200
const payloadOf = z.object({ agentId: z.string(), force: z.boolean() })

export function synthesisJob(needs: HooksNeeds): JobKind {
  const { background: db, settings } = needs
  return {
    kind,
    timeoutMs: settings().synthesis.timeout,
    run: async ({ payload }) => {
      const trigger = payloadOf.parse(payload)
      const { reason } = await writeMemory({ ...needs, db }, trigger)
      if (trigger.force && reason === busy)
        throw new Error('MEMORY.md is being written by somebody else.')
    },
  }
}

/** Has `MEMORY.md` written soon, whenever it was before. */
export async function refreshMemory(
  { db, jobs, settings }: HooksNeeds,
  agentId: string,
): Promise<void> {
  if (!settings().synthesis.enabled) return
  const job = { kind, agentId, dedupeKey: `forced:${agentId}`, payload: { agentId, force: true } }
  await jobs.enqueue(db, job)
}

/** Has it written for each agent that had sessions since the last time and has been at rest for a while. */
export async function wakeIdle(needs: HooksNeeds): Promise<void> {
  const { enabled, idleGapMinutes } = needs.settings().synthesis
  if (!enabled) return
  const endedBefore = minutesAgo(needs, idleGapMinutes)
  for (let after: string | undefined = ''; after !== undefined; )
    after = await wakePage(needs, { endedBefore, after, limit: pageSize })
}

/** Gives where the next page begins; undefined after the last. */
async function wakePage(needs: HooksNeeds, page: IdlePage): Promise<string | undefined> {
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

function minutesAgo({ host }: HooksNeeds, minutes: number): string {
  return new Date(host.now().getTime() - minutes * minuteMs).toISOString()
}
