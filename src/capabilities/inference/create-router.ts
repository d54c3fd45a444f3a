import type { Budgets } from './budgets/create-budgets.ts'
import { createBudgets } from './budgets/create-budgets.ts'
import { createPriceTable, type PriceTable } from './budgets/price.ts'
import type { InferenceNeeds } from './needs.ts'
import { createActiveRequests } from './run/active-requests.ts'
import { createConcurrency } from './run/concurrency.ts'
import type { Router } from './run/router.ts'
import { createTargets } from './run/targets.ts'
import { createLiveSettings, type LiveSettings } from './runtime/live-settings.ts'
import { createTargetStates } from './runtime/target-states.ts'
import type { CreateTarget } from './targets/target.ts'

export interface InferenceRuntime extends Router {
  readonly budgets: Budgets
  readonly prices: PriceTable
  /** Ends all calls and waits until they are settled. */
  stop(): Promise<void>
}

const stopPollMs = 20
const maxStopMs = 5_000

/** Loads the libraries with the first call. */
const loadTarget: CreateTarget = async (needs) =>
  (await import('./targets/index.ts')).createTarget(needs)

export function createRouter(
  needs: InferenceNeeds,
  settings: LiveSettings = createLiveSettings(needs.settings, needs.log),
): InferenceRuntime {
  const { db, host, log, events, gate, providerCalls, createTarget = loadTarget } = needs
  const stopping = new AbortController()
  const prices = createPriceTable()
  const states = createTargetStates({ ...needs, settings })
  const concurrency = createConcurrency(needs.concurrency)
  return {
    host,
    log,
    events,
    gate,
    providerCalls,
    settings,
    states,
    prices,
    targets: createTargets({ ...needs, createTarget }),
    budgets: createBudgets({ db, host, log, prices }),
    concurrency,
    active: createActiveRequests(),
    stopping: stopping.signal,
    stop: async () => {
      stopping.abort('stopping')
      for (let waitedMs = 0; waitedMs < maxStopMs; waitedMs += stopPollMs) {
        if (concurrency.active().total === 0) break
        await host.sleep(stopPollMs)
      }
      await states.settled()
    },
  }
}
