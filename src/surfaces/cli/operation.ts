import type { Columns, Row } from './render.ts'

/** One command that sends one request: a line of data in `operations.ts`. */
export interface Operation {
  /** `sessions list`; a noun is accepted in singular and plural. */
  readonly command: string
  /** The schemas of this route define its arguments and options: `GET /api/sessions`. */
  readonly route: string
  /** Default: the summary of the route. */
  readonly summary?: string
  readonly aliases?: readonly string[]
  /** Default: the command alone, where it has no arguments. */
  readonly examples?: readonly string[]
  /** Fields of the query or the body that are positional, after those of the path. */
  readonly arguments?: readonly string[]
  /**
   * Option names by field, where the name of the field does not fit. `null` leaves the field out;
   * `!off` is a flag that sends false, and true when absent; `=on` takes true or false.
   */
  readonly options?: Readonly<Record<string, string | null>>
  /** Descriptions by field, where that of the schema does not fit. */
  readonly descriptions?: Readonly<Record<string, string>>
  /** Default: whether the schema requires a reason. At a terminal it is optional. */
  readonly requiresReason?: boolean
  /** The question before the request; default: one for DELETE. False disables it. */
  readonly confirm?: string | false
  /** What an id names; default: the noun of the command. */
  readonly noun?: string
  /** The commands that list the ids; default: `reverie <noun> list`. */
  readonly listedBy?: string
  /** Added to the query that finds an id by its prefix. */
  readonly lookup?: Row
  /** Adds `--all`, which repeats the request while its result is not complete. */
  readonly repeats?: true
  /** Of the request and its retries; default: 30,000. */
  readonly timeoutMs?: number
  /** The command prints such a reply and exits with 1. */
  readonly isFailure?: (reply: Row) => boolean
  /** The command in the help that it follows; default: the last one of its noun. */
  readonly after?: string
  /** The field of the reply that holds the rows; default: its only list. */
  readonly list?: string
  /** The table of the rows, or of the reply itself where it has none. */
  readonly columns?: Columns
  /** Printed in place of an empty table. */
  readonly empty?: string
  /** Printed in place of a table or the fields of the reply. */
  readonly render?: (reply: Row, args: readonly string[]) => string
}
