/** One call of a model provider. */
interface ProviderCall {
  /** Its name in the settings. */
  readonly provider: string
  readonly outcome: 'success' | 'failure' | 'timeout'
  readonly durationMs: number
}

interface ProviderTotals {
  calls: number
  failures: number
  totalLatencyMs: number
}

export interface ProviderCalls {
  add(call: ProviderCall): void
  /** The last calls, at most 100. */
  recent(): readonly ProviderCall[]
  /** Since the start, by provider; providers beyond 200 count as `other`. */
  totals(): ReadonlyMap<string, Readonly<ProviderTotals>>
}

const maxRecent = 100
const maxProviders = 200

/** The outcomes of the calls to all model providers, in memory. */
export function createProviderCalls(): ProviderCalls {
  const recent: ProviderCall[] = []
  const totals = new Map<string, ProviderTotals>()
  return {
    add: (call) => {
      recent.push(call)
      if (recent.length > maxRecent) recent.shift()
      const isKnown = totals.has(call.provider) || totals.size < maxProviders
      const name = isKnown ? call.provider : 'other'
      const total = totals.get(name) ?? { calls: 0, failures: 0, totalLatencyMs: 0 }
      total.calls += 1
      if (call.outcome !== 'success') total.failures += 1
      total.totalLatencyMs += call.durationMs
      totals.set(name, total)
    },
    recent: () => recent,
    totals: () => totals,
  }
}
