import type { Call } from './command.ts'
import { CliError } from './failure.ts'

export interface ReasonOptions {
  readonly reason?: string
}

/** A script must pass a reason; at a terminal it has a default. */
export function requireReason({
  options,
  environment,
}: Pick<Call<ReasonOptions>, 'options' | 'environment'>): string {
  const { reason = environment.isTerminal ? 'requested at a terminal' : undefined } = options
  if (reason !== undefined) return reason
  const message = 'a reason is required without a terminal'
  throw new CliError('usage', 'usage', message, 'Pass --reason <text>.')
}

export interface ConfirmOptions {
  readonly yes?: boolean
}

interface Question {
  readonly message: string
  /** The error without a terminal. */
  readonly refusal: string
  readonly hint: string
  readonly declined: string
}

/** Asks at a terminal unless `--yes` was passed; throws unless the answer is yes. */
export async function confirm(
  {
    options,
    environment,
    output,
  }: Pick<Call<ConfirmOptions>, 'options' | 'environment' | 'output'>,
  { message, refusal, hint, declined }: Question,
): Promise<void> {
  if (options.yes) return
  if (!environment.isTerminal || output.json)
    throw new CliError('usage', 'not_confirmed', refusal, hint)
  const { confirm: ask } = await import('@clack/prompts')
  const answer = await ask({ message, initialValue: false, output: process.stderr })
  if (answer !== true) throw new CliError('refused', 'declined', declined)
}

interface TextQuestion {
  readonly message: string
  /** The option that answers the question without a terminal. */
  readonly flag: string
  readonly isSecret?: boolean
}

/** Reads a text at a terminal; throws without one, or if the answer is empty. */
export async function promptText(
  { environment, output }: Pick<Call, 'environment' | 'output'>,
  { message, flag, isSecret = false }: TextQuestion,
): Promise<string> {
  if (!environment.isTerminal || output.json)
    throw new CliError('usage', 'usage', `${flag} is required without a terminal`)
  const { password, text } = await import('@clack/prompts')
  const answer = await (isSecret ? password : text)({ message, output: process.stderr })
  if (typeof answer !== 'string') throw new CliError('refused', 'declined', 'nothing was changed')
  if (answer.trim() !== '') return answer.trim()
  throw new CliError('usage', 'empty', 'the answer is empty', `Pass ${flag}.`)
}
