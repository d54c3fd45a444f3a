import type { Host } from '../../../kernel/host/host.ts'

const maxFailures = 3
const openMs = 60_000

interface State {
  failures: number
  openUntil: number
  /** A call tests a target whose circuit was open. */
  isTesting: boolean
}

/** One circuit per target: open after three consecutive failures, for a minute. */
export interface Circuits {
  isOpen(targetId: string): boolean
  /** Once the minute is over, one call tests the target. */
  begin(targetId: string): void
  end(targetId: string, outcome: 'success' | 'failure' | 'cancelled'): void
  clearAll(): void
}

export function createCircuits(host: Pick<Host, 'now'>): Circuits {
  const states = new Map<string, State>()
  const now = () => host.now().getTime()
  return {
    isOpen: (targetId) => {
      const state = states.get(targetId)
      if (!state || state.failures < maxFailures) return false
      return state.isTesting || now() < state.openUntil
    },
    begin: (targetId) => {
      const state = states.get(targetId)
      if (state && state.failures >= maxFailures) state.isTesting = true
    },
    end: (targetId, outcome) => {
      if (outcome === 'success') states.delete(targetId)
      const state = states.get(targetId) ?? { failures: 0, openUntil: 0, isTesting: false }
      state.isTesting = false
      if (outcome !== 'failure') return
      state.failures += 1
      state.openUntil = now() + openMs
      states.set(targetId, state)
    },
    clearAll: () => states.clear(),
  }
}
