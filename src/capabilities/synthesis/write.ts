import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { findFault } from './find-fault.ts'
import { writeLastRun } from './last-run.ts'
import { memoryFilePath, writeMemoryFile } from './memory-file.ts'
import type { SynthesisOptions } from './needs.ts'
import { projectMemory } from './project.ts'
import { findHead, leaseHead, releaseHead, updateHead } from './store.ts'

const minuteMs = 60_000
export const minIntervalMinutes = 60
const leaseMs = 2 * minuteMs

export interface WriteResult {
  readonly success: true
  readonly skipped: boolean
  readonly reason?: string
}

interface WriteRequest extends Pick<Caller, 'agentId'> {
  /** Whether to skip the minimum interval. */
  readonly force: boolean
}

export const busy = 'it is being written'

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
    return skipped('it was written within the last hour')
  const lease = { agentId, token: host.newId() }
  const until = new Date(now.getTime() + leaseMs).toISOString()
  if (!(await leaseHead(db, { ...lease, now: now.toISOString(), until }))) return skipped(busy)
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
  // The file spans all projects of the agent, whatever the scope of the caller.
  const { text, fileCount, cited } = await projectMemory(needs, { agentId, scope: {} })
  if (fileCount === 0) return skipped('there are no session summaries to render')
  const fault = findFault(text)
  if (fault !== undefined) {
    log.warn({ agentId, fault }, 'MEMORY.md write rejected')
    return skipped(fault)
  }
  const contentHash = await writeMemoryFile(needs, { agentId, body: text })
  const writtenAt = host.now().toISOString()
  await updateHead(db, { agentId, token, contentHash, writtenAt })
  await writeLastRun(needs, { agentId, lastRunAt: writtenAt, contentHash })
  const path = memoryFilePath(agentId)
  await needs.transcripts.citeManifests({ agentId, sessionTokens: cited, path })
  return { success: true, skipped: false }
}

function skipped(reason: string): WriteResult {
  return { success: true, skipped: true, reason }
}
