import type { Host } from '../../../kernel/host/host.ts'
import type { TargetConfig } from '../config/config.ts'

type ObservedState = 'missing' | 'expired' | 'rate_limited'

const defaultMs = { missing: 60_000, expired: 300_000, rate_limited: 60_000 } as const
const maxRetryAfterMs = 3_600_000

interface Mark {
  readonly state: ObservedState
  readonly until: number
}

/** What calls have shown about accounts: it holds for all targets of an account. */
export interface AccountStates {
  /** `retryAfterMs` prolongs a rate limit up to an hour. */
  mark(target: TargetConfig, state: ObservedState, retryAfterMs?: number): void
  read(target: TargetConfig): ObservedState | undefined
  clear(target: TargetConfig): void
  clearAll(): void
}

export function createAccountStates(host: Pick<Host, 'now'>): AccountStates {
  const marks = new Map<string, Mark>()
  const now = () => host.now().getTime()
  return {
    mark: (target, state, retryAfterMs = 0) => {
      const byProvider = state === 'rate_limited' ? Math.min(retryAfterMs, maxRetryAfterMs) : 0
      marks.set(toKey(target), { state, until: now() + Math.max(defaultMs[state], byProvider) })
    },
    read: (target) => {
      const mark = marks.get(toKey(target))
      return mark && now() < mark.until ? mark.state : undefined
    },
    clear: (target) => {
      marks.delete(toKey(target))
    },
    clearAll: () => marks.clear(),
  }
}

function toKey({ account, id }: TargetConfig): string {
  return account === undefined ? `target:${id}` : `account:${account}`
}
