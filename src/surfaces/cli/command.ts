import type { Client } from '../../client/client.ts'
import type { Environment } from './environment.ts'
import type { Output } from './output.ts'

/** The input of a command. */
export interface Call<Options = Readonly<Record<string, unknown>>> {
  /** In the order of the usage; an optional argument may be absent. */
  readonly args: readonly string[]
  readonly options: Options
  readonly environment: Environment
  readonly output: Output
  readonly program: Program
  /** Resolves the address; sends nothing. */
  connect(): Promise<Client>
}

/** What the started process provides; this folder cannot import it. */
export interface Program {
  readonly version: string
  /** Returns the address once the daemon listens. */
  readonly runDaemon: () => Promise<string>
  /** Throws if a daemon could not start once the running one frees its port. */
  readonly checkStart: (freedPort: number) => Promise<void>
}

/** One command as plain data: parsing, help and completion are derived from it. */
export interface CommandSpec {
  /** The name, `group name` inside a group, then its arguments. */
  readonly usage: string
  /** Other names that users try: an unknown command with one of them suggests this command. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly options?: readonly OptionSpec[]
  readonly examples: readonly string[]
  /** Present for a command that sends one request; written by the build from the route table. */
  readonly request?: RequestSpec
}

export interface Command<Options = Readonly<Record<string, unknown>>> extends CommandSpec {
  run(call: Call<Options>): Promise<void>
}

/** `list` may be repeated; `json` is JSON or `@FILE`; `start` and `end` are times such as `7d`. */
export type ValueType = 'count' | 'number' | 'share' | 'start' | 'end' | 'list' | 'json' | 'boolean'

export interface OptionSpec {
  readonly flags: string
  readonly description: string
  readonly type?: ValueType
  readonly choices?: readonly string[]
  readonly default?: string | number
  readonly isRequired?: boolean
  /** The name of an option that excludes this one. */
  readonly conflicts?: string
}

export interface RequestSpec {
  /** A method and a path of the HTTP API: `GET /api/agents/:name`. */
  readonly route: string
  readonly fields: readonly RequestField[]
  readonly paging?: 'offset' | 'cursor'
  readonly requiresReason?: boolean
}

export interface RequestField {
  readonly part: 'path' | 'query' | 'body'
  readonly name: string
  /** The position of an argument, or the name of an option. */
  readonly source: number | string
  readonly type?: ValueType
  /** The option sends false, and its absence true. */
  readonly isInverted?: boolean
  /** The route that lists the ids; a unique prefix of one is accepted. */
  readonly ids?: string
}

/** The name of a field that is the whole body, where its schema has no fields. */
export const wholeBody = '*'

/** Infers the options where they are declared; a table of commands needs only the shape. */
export function command<Options = Readonly<Record<string, unknown>>>(
  definition: Command<Options>,
): Command {
  return definition as unknown as Command
}

export function option(
  flags: string,
  description: string,
  rest: Omit<OptionSpec, 'flags' | 'description'> = {},
): OptionSpec {
  return { flags, description, ...rest }
}

/** The words of a usage before its arguments: `agents create`. */
export function nameOf(usage: string): string {
  return usage.replace(/ [<[].*$/, '')
}

/** Undoes a regular English plural. */
export function toSingular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/(ss)$|s$/, '$1')
}
