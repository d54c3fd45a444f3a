import type { Client } from '../../client/client.ts'
import { ReverieError } from '../../client/public/reverie-error.ts'
import { CliError } from './failure.ts'
import { toLine } from './output.ts'

const minPrefix = 6
const idLength = 36
const maxMatches = 10

/** What an id names, for the error when it does not exist. */
export interface Subject {
  readonly noun: string
  /** The commands that list the ids. */
  readonly list: string
}

const memory: Subject = { noun: 'memory', list: 'reverie list' }
const memories = 'GET /api/memories'

interface Lookup {
  /** The route that lists ids by `id_prefix`; default: that of the memories. */
  readonly route?: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly subject?: Subject
}

/** The only id with this prefix; a text that is not a prefix of a UUID is returned as it is. */
export async function resolveId(
  client: Client,
  text: string,
  lookup: Lookup = {},
): Promise<string> {
  const { route = memories, query, subject = memory } = lookup
  const prefix = text.toLowerCase()
  if (prefix.length >= idLength || !/^[\da-f]+(-[\da-f]*)*$/.test(prefix)) return text
  if (prefix.length < minPrefix)
    throw new CliError(
      'usage',
      'short_id',
      `${text} is too short for an id prefix`,
      `Pass at least ${minPrefix} characters.`,
    )
  const page = await client.call(route, {
    query: { ...query, id_prefix: prefix, limit: maxMatches + 1 },
  })
  const rows: unknown[] = Object.values(Object(page)).find(Array.isArray) ?? []
  // A daemon that does not know `id_prefix` ignores it.
  const matches = rows.map(Object).filter(({ id }) => String(id).startsWith(prefix))
  const [first, second] = matches
  if (!first) throw missing(text, subject)
  if (!second) return String(first.id)
  const lines = matches
    .slice(0, maxMatches)
    .map(({ id, content, title, name }) => `  ${id}  ${toLine(content ?? title ?? name ?? '', 60)}`)
  const more = matches.length > maxMatches ? ['  and more'] : []
  throw new CliError(
    'conflict',
    'ambiguous_id',
    [`${text} matches several ids:`, ...lines, ...more].join('\n'),
    'Pass more characters of the id.',
  )
}

/** Names the id in the error: the daemon reports only that something does not exist. */
export async function nameMissing<Reply>(
  id: string,
  reply: Promise<Reply>,
  subject = memory,
): Promise<Reply> {
  try {
    return await reply
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    const ownCode = `${subject.noun.toLowerCase().replaceAll(' ', '_')}_not_found`
    if (error.code !== 'not_found' && error.code !== ownCode) throw error
    throw missing(id, subject, error.code)
  }
}

export function missing(id: string, { noun, list }: Subject, code = 'not_found'): CliError {
  const plural = /(?:s|x|ch|sh)$/.test(noun)
    ? `${noun}es`
    : `${noun.replace(/(?<![aeiou])y$/, 'ie')}s`
  const hint = `List the ${plural} with: ${list}`
  return new CliError('not_found', code, `there is no ${noun} ${toLine(id)}`, hint)
}
