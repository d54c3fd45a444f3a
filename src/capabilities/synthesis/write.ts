import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { JobKind } from '../../kernel/jobs/kind.ts'
import type { IdlePage } from '../sessions/index.ts'
import { findFault, memoryFilePath, writeLastRun, writeMemoryFile } from './memory-file.ts'
import type { SynthesisOptions } from './needs.ts'
import { projectMemory } from './render.ts'
import { findHead, leaseHead, listHeads, releaseHead, updateHead } from './store.ts'

const minuteMs = 60_000
export const minIntervalMinutes = 60
const leaseMs = 2 * minuteMs

interface WriteResult {
  readonly success: true
  readonly skipped: boolean
  readonly reason?: string
}

interface WriteRequest extends Pick<Caller, 'agentId'> {
  /** Whether to skip the minimum interval. */
  readonly force: boolean
}

const busy = 'it is being written'

/** Writes `MEMORY.md` of an agent. A lease excludes concurrent writes. */
export async function writeMemory(
  needs: SynthesisOptions,
  trigger: WriteRequest,
): Promise<WriteResult> {
  const { db, host, config } = needs
  const { agentId, force } = trigger
  if (!config().enabled)
    throw new Refusal('unavailable', 'synthesis_off', 'Synthesis worker not running')
  const now = host.now()
  const head = await findHead(db, agentId)
  const sinceMs = head?.writtenAt ? now.getTime() - new Date(head.writtenAt).getTime() : Infinity
  if (!force && sinceMs < minIntervalMinutes * minuteMs)
    return skippedResult('it was written within the last hour')
  const lease = { agentId, token: host.newId() }
  const until = new Date(now.getTime() + leaseMs).toISOString()
  if (!(await leaseHead(db, { ...lease, now: now.toISOString(), until })))
    return skippedResult(busy)
  try {
    return await render(needs, lease)
  } finally {
    await releaseHead(db, lease)
  }
}

interface Lease {
  readonly agentId: string
  readonly token: string
}

async function render(needs: SynthesisOptions, { agentId, token }: Lease): Promise<WriteResult> {
  const { db, host, log } = needs
  // The file spans all projects of the agent, also for a caller with a narrower scope.
  const { text, fileCount, cited } = await projectMemory(needs, { agentId, scope: {} })
  if (fileCount === 0) return skippedResult('there are no session summaries to render')
  const fault = findFault(text)
  if (fault !== undefined) {
    log.warn({ agentId, fault }, 'MEMORY.md write rejected')
    return skippedResult(fault)
  }
  const contentHash = await writeMemoryFile(needs, { agentId, body: text })
  const writtenAt = host.now().toISOString()
  await updateHead(db, { agentId, token, contentHash, writtenAt })
  await writeLastRun(needs, { agentId, lastRunAt: writtenAt, contentHash })
  const path = memoryFilePath(agentId)
  await needs.transcripts.citeManifests({ agentId, sessionTokens: cited, path })
  return { success: true, skipped: false }
}

function skippedResult(reason: string): WriteResult {
  return { success: true, skipped: true, reason }
}

/** Jobs of this kind may wait in a database, so it has the name of the capability that had it first. */
const kind = 'hooks.synthesis'
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
      kind,
      agentId,
      dedupeKey: agentId,
      payload: { agentId, force: false },
    })
  return idle.length < page.limit ? undefined : names.at(-1)
}

function minutesAgo({ host }: SynthesisOptions, minutes: number): string {
  return new Date(host.now().getTime() - minutes * 60_000).toISOString()
}
