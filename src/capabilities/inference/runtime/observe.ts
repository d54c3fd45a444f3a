import type { TargetConfig } from '../config/config.ts'
import type { TargetError } from '../targets/target.ts'
import type { AccountStates } from './account-states.ts'
import type { Circuits } from './circuit.ts'

interface Observers {
  readonly accounts: AccountStates
  readonly circuits: Circuits
}

const limitStatuses = [402, 429]
const authStatuses = [401, 403]
const limitText = /quota|rate.?limit|too many requests|insufficient (credit|balance)/i
const authText = /invalid.{0,10}api.?key|unauthori[sz]ed|authentication|not (logged|signed) in/i

export function observeSuccess({ accounts, circuits }: Observers, target: TargetConfig): void {
  accounts.clear(target)
  circuits.end(target.id, 'success')
}

/** A refusal about the account marks the account; any other failure counts for the circuit. */
export function observeFailure(
  { accounts, circuits }: Observers,
  target: TargetConfig,
  error: TargetError,
): void {
  circuits.end(target.id, observe(accounts, target, error))
}

function observe(
  accounts: AccountStates,
  target: TargetConfig,
  { kind, status, retryAfterMs, providerMessage = '' }: TargetError,
): 'failure' | 'cancelled' {
  if (kind === 'aborted') return 'cancelled'
  if (matches(limitStatuses, limitText)) accounts.mark(target, 'rate_limited', retryAfterMs)
  else if (matches(authStatuses, authText)) accounts.mark(target, 'expired')
  else return status === undefined || status < 400 || status >= 500 ? 'failure' : 'cancelled'
  return 'cancelled'

  /** The text counts for programs, which have no status. */
  function matches(statuses: readonly number[], text: RegExp): boolean {
    return status === undefined ? text.test(providerMessage) : statuses.includes(status)
  }
}
