import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import type { DreamingNeeds } from './needs.ts'
import { type Engine, leaseMs, type Mode, type Pass } from './pass.ts'
import { dreamingRefusal } from './refusals.ts'
import { failAbandoned, findRunning, insertPass } from './store/passes.ts'

export const passJob = 'dreaming.pass'
export const stoppedError = 'The daemon stopped during this pass'

interface TriggerRequest {
  readonly mode: Mode
  /** Default: the setting. */
  readonly engine: Engine | undefined
  readonly dryRun: boolean
}

/** Starts a pass for a person: thresholds and backoff do not apply. */
export async function triggerPass(
  needs: DreamingNeeds,
  { agentId }: Pick<Caller, 'agentId'>,
  { mode, dryRun, engine = needs.config().engine }: TriggerRequest,
) {
  assertRunnable(needs, { agentId, engine, dryRun })
  const pass = newPass(needs, { agentId, mode, engine, dryRun, trigger: 'manual' })
  await startPass(needs, pass)
  const { id: passId, status } = pass
  return { accepted: true as const, passId, status, mode, agentId, dryRun, engine }
}

function assertRunnable(
  { config, gate, isFrozen, models }: DreamingNeeds,
  { agentId, engine, dryRun }: Pick<Pass, 'agentId' | 'engine' | 'dryRun'>,
): void {
  const blockedBy = !config().enabled ? 'disabled' : isFrozen() ? 'frozen' : null
  if (blockedBy !== null && !dryRun) throw dreamingRefusal('not_running', { blockedBy })
  if (!gate.isOpen()) throw dreamingRefusal('not_running', { blockedBy: 'paused' })
  if (engine === 'model' && !models.isReady('memory_extraction', agentId))
    throw dreamingRefusal('no_provider')
}

type NewPass = Pick<Pass, 'agentId' | 'mode' | 'engine' | 'dryRun' | 'trigger'>

export function newPass({ host }: DreamingNeeds, fields: NewPass): Pass {
  const now = host.now()
  return {
    id: host.newId(),
    ...fields,
    status: 'running',
    disposition: 'none',
    owner: '',
    leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
    startedAt: now.toISOString(),
    completedAt: null,
    appliedCount: 0,
    skippedCount: 0,
    failedCount: 0,
    sourceCount: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    costMicros: 0,
    costKnown: true,
    stoppedBy: null,
    modelStatus: null,
    modelError: null,
    summary: null,
    error: null,
    runbook: null,
    window: { cursor: '', sources: [] },
    skipped: {},
    nearDuplicates: [],
  }
}

/** The unique index of running passes decides between two daemons. */
export async function startPass(needs: DreamingNeeds, pass: Pass): Promise<void> {
  const { active, db, jobs } = needs
  await assertIdle(needs)
  const { id: passId, agentId, startedAt } = pass
  // Without other daemons, a running row without a pass could not be ended: its disk was full.
  const leaseBefore = needs.exclusive ? undefined : startedAt
  active.current = { passId, agentId, control: new AbortController() }
  try {
    await transaction(db, async (db) => {
      const ended = { completedAt: startedAt, error: stoppedError }
      await failAbandoned(db, { agentId, leaseBefore, ...ended })
      if (!(await insertPass(db, pass))) throw dreamingRefusal('pass_running')
      await jobs.enqueue(db, { kind: passJob, payload: { passId }, agentId, maxAttempts: 1 })
    })
  } catch (error) {
    active.current = undefined
    throw error
  }
}

/** Another daemon may have run, or ended, the pass that this one began. */
async function assertIdle({ active, db }: DreamingNeeds): Promise<void> {
  const { current } = active
  if (!current) return
  if (await findRunning(db, current.passId)) throw dreamingRefusal('pass_running')
  if (active.current === current) active.current = undefined
}
