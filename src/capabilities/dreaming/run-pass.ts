import { messageOf } from '../../kernel/errors/system-error.ts'
import { pipelineFailed } from '../../kernel/events/pipeline-failure.ts'
import type { Task } from '../../kernel/jobs/kind.ts'
import { isModelTimeout } from '../inference/index.ts'
import { applyPlan } from './apply-plan.ts'
import { checkPlan } from './check/check-plan.ts'
import { passEnded, passStarted } from './events.ts'
import type { DreamingNeeds } from './needs.ts'
import { refreshPages } from './pages/refresh-pages.ts'
import { leaseMs, leaseRenewalMs, type Pass } from './pass.ts'
import { planPass } from './plan-pass.ts'
import { recordFailure } from './schedule/backoff.ts'
import { failRunning, findPass, findRunning, takePass, updateRunning } from './store/passes.ts'

/** Runs a pass that a trigger or the schedule has inserted. Never throws: the row has the error. */
export async function runPass(needs: DreamingNeeds, { payload, signal }: Task): Promise<void> {
  const { passId } = payload as { readonly passId: string }
  const inserted = await findRunning(needs.db, passId)
  const leaseUntil = toLease(needs)
  const { owner } = needs
  if (!inserted || !(await takePass(needs.db, passId, { owner, leaseUntil })))
    return release(needs, passId)
  const pass = { ...inserted, owner, leaseUntil }
  const control = takeControl(needs, pass)
  const lease = holdLease(needs, pass, control)
  try {
    await runWithin(needs, pass, AbortSignal.any([signal, control.signal]))
  } catch (error) {
    await failPass(needs, pass, error)
  } finally {
    lease.abort()
    release(needs, passId)
    await announceEnd(needs, pass)
  }
}

/** A pass of another daemon's trigger may run here. */
function takeControl({ active }: DreamingNeeds, { id: passId, agentId }: Pass): AbortController {
  if (active.current?.passId === passId) return active.current.control
  const control = new AbortController()
  active.current ??= { passId, agentId, control }
  return control
}

function release({ active }: DreamingNeeds, passId: string): void {
  if (active.current?.passId === passId) active.current = undefined
}

async function runWithin(needs: DreamingNeeds, pass: Pass, signal: AbortSignal): Promise<void> {
  const { agentId, mode, engine, dryRun, id: passId } = pass
  const { timeout } = needs.config()
  const entry = needs.gate.enter('memory_extraction', signal)
  const late = new AbortController()
  const ended = new AbortController()
  void needs.host.sleep(timeout, ended.signal).then(() => {
    if (!ended.signal.aborted) late.abort(new Error(`The pass took longer than ${timeout} ms.`))
  })
  try {
    needs.events.emit(passStarted, { passId, agentId, mode, engine, dryRun })
    const stop = AbortSignal.any([entry.signal, late.signal])
    const plan = await planPass(needs, pass, stop)
    const checked = await checkPlan(needs, pass, plan)
    stop.throwIfAborted()
    await applyPlan(needs, pass, checked)
    const isReviewed = dryRun || needs.config().apply === 'review'
    const sources = checked.window.sources.map(({ rendered }) => rendered)
    if (!isReviewed) await refreshPages(needs, pass, { operations: checked.operations, sources })
  } finally {
    ended.abort()
    entry.leave()
  }
}

function toLease({ host }: DreamingNeeds): string {
  return new Date(host.now().getTime() + leaseMs).toISOString()
}

/** Renews the lease until the returned controller is aborted. A lost lease aborts the pass. */
function holdLease(needs: DreamingNeeds, pass: Pass, control: AbortController): AbortController {
  const ended = new AbortController()
  const renew = async () => {
    while (!ended.signal.aborted) {
      await needs.host.sleep(leaseRenewalMs, ended.signal)
      if (ended.signal.aborted) return
      const isOurs = await updateRunning(needs.db, pass, { leaseUntil: toLease(needs) })
      if (!isOurs) return control.abort(new Error('Another process ended the pass.'))
    }
  }
  void renew().catch((err: unknown) => needs.log.warn({ err }, 'dreaming lease renewal failed'))
  return ended
}

const maxErrorLength = 500

/** The plan stays for the trace, no cursor moves, and attention stays pending. */
async function failPass(needs: DreamingNeeds, pass: Pass, error: unknown): Promise<void> {
  const reason = messageOf(error)
  const completedAt = needs.host.now().toISOString()
  const ended = { completedAt, error: reason.slice(0, maxErrorLength) }
  needs.log.warn({ passId: pass.id, agentId: pass.agentId, err: error }, 'dreaming pass failed')
  if (isModelTimeout(error))
    needs.events.emit(pipelineFailed, { code: 'DECISION_TIMEOUT', agentId: pass.agentId })
  try {
    if (await failRunning(needs.db, pass, ended)) await recordFailure(needs, pass)
  } catch (err) {
    // The next start ends the row.
    needs.log.error({ err, passId: pass.id }, 'dreaming pass could not be ended')
  }
}

async function announceEnd({ db, events }: DreamingNeeds, { id, agentId }: Pass): Promise<void> {
  const pass = await findPass(db, agentId, id).catch(() => undefined)
  if (!pass) return
  const { mode, engine, dryRun, status, disposition, inputTokens, outputTokens, costMicros } = pass
  const { appliedCount, startedAt, completedAt, cacheReadTokens, cacheCreationTokens } = pass
  const durationMs = Date.parse(completedAt ?? startedAt) - Date.parse(startedAt)
  events.emit(passEnded, {
    passId: id,
    agentId,
    mode,
    engine,
    dryRun,
    status,
    disposition,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheCreationTokens,
    costMicros,
    appliedCount,
    durationMs,
  })
}
