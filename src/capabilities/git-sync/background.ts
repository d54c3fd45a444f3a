import type { BackgroundWorker } from '../../kernel/capability/capability.ts'
import { isPaused } from '../../kernel/gate/gate.ts'
import { readFingerprint } from './fingerprint.ts'
import type { GitService } from './git-operations.ts'
import type { GitSyncNeeds } from './needs.ts'

type BackgroundNeeds = Pick<GitSyncNeeds, 'folder' | 'gate' | 'host' | 'log'>

const maxBackoffMs = 3_600_000
const jitterShare = 0.1
const failuresBeforeBackoff = 3
const backoffDurationMs = 600_000
const scanMs = 2_000
/** A scan of a large workspace uses at most this share of the time. */
const scanShare = 20
const settleMs = 5_000
const minCommitPauseMs = 30_000

/** The wait before the next background sync. */
function toWaitMs(intervalSeconds: number, failures: number, random: () => number): number {
  const ms = Math.min(
    intervalSeconds * 1_000 * 2 ** failures,
    Math.max(maxBackoffMs, intervalSeconds * 1_000),
  )
  return ms * (1 + jitterShare * (2 * random() - 1))
}

/** Syncs by a timer and commits changed files, while the settings say so and the gate is open. */
export function createBackground(needs: BackgroundNeeds, service: GitService) {
  const stopping = new AbortController()
  const running: Promise<void>[] = []
  const interrupt = { current: new AbortController() }
  const wake = () => interrupt.current.abort('now')
  service.onChange(() => interrupt.current.abort('changed'))
  const guard = async (name: string, loop: () => Promise<void>) => {
    while (!stopping.signal.aborted)
      await loop().catch(async (err: unknown) => {
        if (stopping.signal.aborted) return
        needs.log.error({ err, loop: name }, 'git background work failed')
        await needs.host.sleep(settleMs, stopping.signal)
      })
  }
  const worker: BackgroundWorker = {
    name: 'git',
    status: async () => {
      const { autoCommit, autoSync, enabled } = service.config()
      const { failures, lastSync = null } = service.state
      return { running: enabled && (autoCommit || autoSync), details: { failures, lastSync } }
    },
    wake,
  }
  return {
    worker,
    start: (): void => {
      running.push(
        guard('sync', () => syncOnce(needs, { service, interrupt, stopping })),
        guard('commit', () => commitOnce(needs, { service, stopping })),
      )
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      wake()
      await Promise.all(running)
    },
  }
}

interface Loop {
  readonly service: GitService
  readonly stopping: AbortController
}

async function syncOnce(
  needs: BackgroundNeeds,
  { service, stopping, interrupt }: Loop & { readonly interrupt: { current: AbortController } },
): Promise<void> {
  const { host } = needs
  interrupt.current = new AbortController()
  const { autoSync, enabled, syncInterval } = service.config()
  const isScheduled = enabled && autoSync && syncInterval > 0
  const backoffMs = service.state.backoffUntil - host.now().getTime()
  const waitMs = isScheduled
    ? Math.max(backoffMs, toWaitMs(syncInterval, service.state.failures, host.random))
    : maxBackoffMs
  const { signal: woken } = interrupt.current
  await host.sleep(waitMs, AbortSignal.any([woken, stopping.signal]))
  // A change of the settings begins the wait again.
  const isDue =
    isScheduled && woken.reason !== 'changed' && service.state.backoffUntil <= host.now().getTime()
  if (stopping.signal.aborted || !isDue) return
  await runInGate(needs, 'git_sync', async (signal) => {
    const { hasCredentials, isRepo } = await service.status()
    if (!isRepo || !hasCredentials) return
    const outcome = await service.sync(AbortSignal.any([signal, stopping.signal]))
    if (outcome.code === 'in_progress') return
    recordOutcome(service.state, outcome.success, host.now().getTime())
  })
}

function recordOutcome(state: GitService['state'], success: boolean, now: number): void {
  state.failures = success ? 0 : state.failures + 1
  const isOver = state.failures > 0 && state.failures % failuresBeforeBackoff === 0
  state.backoffUntil = isOver ? now + backoffDurationMs : 0
}

/** A paused pipeline is no failure. */
async function runInGate(
  { gate }: BackgroundNeeds,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    const entry = gate.enter(name)
    try {
      await work(entry.signal)
    } finally {
      entry.leave()
    }
  } catch (error) {
    if (!isPaused(error)) throw error
  }
}

/** Waits for a change that has settled, then commits. */
async function commitOnce(needs: BackgroundNeeds, { service, stopping }: Loop): Promise<void> {
  const { host } = needs
  const { signal } = stopping
  let committed = ''
  let previous = ''
  let changedAt = 0
  while (!signal.aborted) {
    const { autoCommit, enabled } = service.config()
    if (!enabled || !autoCommit) {
      await host.sleep(settleMs, signal)
      continue
    }
    const startedAt = host.now().getTime()
    const current = await readFingerprint(needs.folder)
    const now = host.now().getTime()
    if (current !== previous) changedAt = now
    previous = current
    if (current !== committed && now - changedAt >= settleMs) {
      const isDone = await commitInGate(needs, service, signal)
      if (isDone) committed = current
      await host.sleep(minCommitPauseMs, signal)
    }
    await host.sleep(Math.max(scanMs, (now - startedAt) * scanShare), signal)
  }
}

async function commitInGate(
  needs: BackgroundNeeds,
  service: GitService,
  signal: AbortSignal,
): Promise<boolean> {
  const outcome = { isDone: false }
  await runInGate(needs, 'git_commit', async (gateSignal) => {
    const { isRepo } = await service.status()
    if (!isRepo) return
    const { success } = await service.commit(AbortSignal.any([gateSignal, signal]))
    outcome.isDone = success
  })
  return outcome.isDone
}
