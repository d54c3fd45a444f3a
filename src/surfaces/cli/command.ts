import { InvalidArgumentError, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Environment } from './environment.ts'
import type { Output } from './output.ts'

/** What a command is given; `connect` does no more than learn the address. */
export interface Call<Options = Readonly<Record<string, unknown>>> {
  /** In the order of the usage; one that is optional may be absent. */
  readonly args: readonly string[]
  readonly options: Options
  readonly environment: Environment
  readonly output: Output
  readonly program: Program
  connect(): Promise<Client>
}

/** What the process that was started knows and this folder may not. */
export interface Program {
  readonly version: string
  /** Gives the address once it listens. */
  readonly runDaemon: () => Promise<string>
  /** Throws if a daemon could not start once the running one frees its port. */
  readonly checkStart: (freedPort: number) => Promise<void>
}

/** One command, as data: parsing, help and completion are read from it. */
export interface Command<Options = Readonly<Record<string, unknown>>> {
  /** The name, `group name` for one of a group, then its arguments. */
  readonly usage: string
  /** What it, or its group, is called elsewhere: whoever tries that is told its name. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly options?: readonly Option[]
  readonly examples: readonly string[]
  /** Loads what it needs by itself, so that each command starts with its own code only. */
  run(call: Call<Options>): Promise<void>
}

/** Infers the options where they are written; the table that holds commands needs only the shape. */
export function command<Options = Readonly<Record<string, unknown>>>(
  definition: Command<Options>,
): Command {
  return definition as unknown as Command
}

export function option(flags: string, description: string, parse?: (text: string) => unknown) {
  const made = new Option(flags, description)
  return parse ? made.argParser(parse) : made
}

export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

export function parseShare(text: string): number {
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}
