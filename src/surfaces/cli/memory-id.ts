import type { Client } from '../../client/client.ts'
import { CliError } from './failure.ts'
import { nameMissing } from './name-missing.ts'
import { toLine } from './output.ts'

const minPrefix = 6
const idLength = 36
const maxMatches = 10

interface Lookup {
  readonly includeDeleted?: boolean
}

/** The id of the one memory whose id begins so; a whole id is not looked up. */
export async function resolveId(
  { memory }: Client,
  text: string,
  { includeDeleted }: Lookup = {},
): Promise<string> {
  const prefix = text.toLowerCase()
  if (prefix.length >= idLength || !/^[\da-f]+(-[\da-f]*)*$/.test(prefix)) return text
  if (prefix.length < minPrefix)
    throw new CliError(
      'usage',
      'short_id',
      `${text} is too short for an id prefix`,
      `Pass at least ${minPrefix} characters.`,
    )
  const query = { id_prefix: prefix, include_deleted: includeDeleted, limit: maxMatches + 1 }
  const page = await memory.list(query)
  // An older daemon ignores the prefix.
  const matches = page.memories.filter(({ id }) => id.startsWith(prefix))
  const [first, second] = matches
  if (!first) throw missing(text)
  if (!second) return first.id
  const lines = matches
    .slice(0, maxMatches)
    .map(({ id, content }) => `  ${id}  ${toLine(content, 60)}`)
  const more = matches.length > maxMatches ? ['  and more'] : []
  throw new CliError(
    'conflict',
    'ambiguous_id',
    [`${text} matches several ids:`, ...lines, ...more].join('\n'),
    'Pass more characters of the id.',
  )
}

export function nameMemory<Reply>(id: string, asking: Promise<Reply>): Promise<Reply> {
  return nameMissing(asking, nameOf(id))
}

function missing(id: string): CliError {
  const { what, hint } = nameOf(id)
  return new CliError('not_found', 'not_found', `there is no ${what}`, hint)
}

function nameOf(id: string) {
  return { what: `memory ${id}`, hint: 'List the memories with: reverie list' }
}
