import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { ChildLedger } from '../../../kernel/process/child-ledger.ts'
import { commandEnvironment } from '../../../kernel/process/environment.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { runProcess } from '../../../kernel/process/run-process.ts'
import { redactStrictly } from '../../../kernel/redaction/redact.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'

export interface VaultNeeds {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Names of further variables that a client receives. */
  readonly pass: () => readonly string[]
  /** Where a client runs. */
  readonly folder: string
}

export interface ClientCall {
  readonly args: readonly string[]
  /** The credential in the environment of the client; never an argument. */
  readonly secrets: Readonly<Record<string, string>>
  readonly input?: string
}

export type VaultClient = ReturnType<typeof createVaultClient>

const timeoutMs = 30_000
const maxOutputBytes = 10_485_760
const maxErrorLength = 300
const maxFailures = 3
const pauseMs = 30_000

/** A client ended with an error; the message has no credential. */
export class VaultFailure extends Error {
  override readonly name = 'VaultFailure'
}

/**
 * Runs the command-line client of a vault, one call at a time. After three failures in a row, calls
 * are refused for 30 s. Refuses `vault_client_missing` and `vault_unavailable`.
 */
export function createVaultClient(needs: VaultNeeds, program: string) {
  let last: Promise<unknown> = Promise.resolve()
  let failures = 0
  let closedUntil = 0

  const run = async ({ args, secrets, input }: ClientCall): Promise<string> => {
    const now = needs.host.now().getTime()
    if (now < closedUntil) throw unavailable(program, 'it failed three times; retry in 30 seconds')
    const environment = commandEnvironment(needs.variables(), needs.pass())
    const command = await findProgram(program, environment)
    if (command === undefined) throw clientMissing(program)
    const result = await runProcess(needs, {
      purpose: `vault client ${program}`,
      command,
      args,
      cwd: needs.folder,
      env: { ...withoutConnect(environment), ...secrets },
      secrets: Object.values(secrets),
      timeoutMs,
      maxOutputBytes,
      ...(input !== undefined && { input }),
    })
    if (result.timedOut) throw unavailable(program, `it took longer than ${timeoutMs / 1000} s`)
    if (result.code !== 0) throw new VaultFailure(toMessage(result.stderr || result.stdout))
    return result.stdout
  }

  /** Waits for its turn. A failure of the client itself counts; a refused request does not. */
  return async (call: ClientCall): Promise<string> => {
    const turn = last.then(() => run(call))
    last = turn.catch(() => undefined)
    try {
      const output = await turn
      failures = 0
      return output
    } catch (error) {
      if (isFailure(error)) failures += 1
      if (failures >= maxFailures) {
        closedUntil = needs.host.now().getTime() + pauseMs
        failures = 0
      }
      throw error
    }
  }
}

function isFailure(error: unknown): boolean {
  return error instanceof VaultFailure || (error instanceof Refusal && error.kind === 'unavailable')
}

/** A connect server would take the place of the account of the token. */
function withoutConnect(variables: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => !/^(OP_CONNECT_|OP_SESSION|BW_SESSION)/.test(name),
    ),
  )
}

function toMessage(text: string): string {
  const line = redactStrictly(text.trim().replaceAll(/\s+/g, ' ')).text
  return sliceText(line, 0, maxErrorLength) || 'it ended without a message'
}

function clientMissing(program: string): Refusal {
  const message = `The program '${program}' is not installed on the machine of the daemon.`
  return new Refusal('unavailable', 'vault_client_missing', message)
}

export function unavailable(program: string, why: string): Refusal {
  const message = `The vault client '${program}' cannot be used: ${why}.`
  return new Refusal('unavailable', 'vault_unavailable', message)
}
