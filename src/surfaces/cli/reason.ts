import type { Call } from './command.ts'
import { CliError } from './failure.ts'

export interface Reason {
  readonly reason?: string
}

/** A person at a terminal need not give one; a script must. */
export function requireReason({
  options,
  environment,
}: Pick<Call<Reason>, 'options' | 'environment'>): string {
  const { reason = environment.isTerminal ? 'requested at a terminal' : undefined } = options
  if (reason !== undefined) return reason
  const message = "required option '--reason <text>' not specified"
  throw new CliError('usage', 'usage', message, 'It is optional at a terminal only.')
}
