import type { BlackBoxEvent, Search, Turn } from '../../queries/sessions.ts'

/** A memory or a statement that the session received. A statement may cite no memory. */
interface MarkedItem {
  readonly id: string
  readonly memoryId: string | undefined
  readonly text: string
}

/** The items that the session received at one place of its transcript. */
export interface Mark {
  /** The line of the turn before the mark; undefined at the start of the session. */
  readonly line: number | undefined
  /** `words`: the turn is the query. `later`: a recall after this turn, before the next known query. */
  readonly kind: 'start' | 'words' | 'later'
  readonly at: string
  readonly items: readonly MarkedItem[]
}

const startSurface = 'api.hooks.session-start'

/**
 * Places marks in a transcript, whose turns have no times. The start of a session precedes its first
 * turn. A query is placed at the turn with its words, and a recall after the last placed query before
 * it. Other items have no mark.
 */
export function placeMarks(
  turns: readonly Turn[],
  events: readonly BlackBoxEvent[],
  searches: readonly Search[],
): readonly Mark[] {
  const marks = [...markStart(events), ...markQueries(turns, searches)]
  const placed = marks.filter(({ kind }) => kind === 'words')
  return [...marks, ...markLater(placed, events)].filter(({ items }) => items.length > 0)
}

/** The ids of the memories that have a place. */
export function listPlaced(marks: readonly Mark[]): ReadonlySet<string> {
  return new Set(marks.flatMap(({ items }) => items.flatMap(({ memoryId }) => memoryId ?? [])))
}

function markStart(events: readonly BlackBoxEvent[]): Mark[] {
  const started = events.filter(({ payload }) => payload?.['surface'] === startSurface)
  const [first] = started
  if (!first) return []
  const items = started.flatMap(toItems)
  return [{ line: undefined, kind: 'start', at: first.at, items }]
}

/** Equal turns are matched in their order, if each of them has a query. */
function markQueries(turns: readonly Turn[], searches: readonly Search[]): Mark[] {
  const prompts = turns.filter(({ role }) => role === 'User')
  const turnsByWords = Map.groupBy(prompts, ({ text }) => toWords(text))
  const inOrder = searches.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const searchesByWords = Map.groupBy(inOrder, ({ query }) => toWords(query))
  return [...turnsByWords]
    .flatMap(([words, equal]) => {
      const queries = searchesByWords.get(words) ?? []
      return equal.length === queries.length
        ? queries.map((search, index) => toMark(search, equal[index]?.line))
        : []
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

function toMark(search: Search, line: number | undefined): Mark {
  const items = search.results
    .filter(({ forgotten }) => forgotten !== true)
    .map(({ id, source, content }) => {
      const memoryId = isPrompt(search) ? /^memory:(.+)$/.exec(source)?.[1] : toMemoryId(id)
      return { id, memoryId, text: content }
    })
  return { line, kind: 'words', at: search.created_at, items }
}

function markLater(placed: readonly Mark[], events: readonly BlackBoxEvent[]): Mark[] {
  const known = listPlaced(placed)
  const recalled = events.filter(
    ({ kind, payload }) => kind === 'context.recalled' && payload?.['surface'] !== startSurface,
  )
  return placed.map((mark) => {
    const next = placed.find(({ at }) => at > mark.at)?.at
    const items = recalled
      .filter(({ at }) => at >= mark.at && (next === undefined || at < next))
      .flatMap(toItems)
      .filter(({ id }) => !known.has(id))
    return { ...mark, kind: 'later', items }
  })
}

/** The results of a prompt are statements of the graph. */
function isPrompt({ route }: Search): boolean {
  return route.endsWith('/user-prompt-submit')
}

/** Ids of transcripts and other sources have a prefix. */
function toMemoryId(id: string): string | undefined {
  return id.includes(':') ? undefined : id
}

function toItems({ refs }: BlackBoxEvent): MarkedItem[] {
  return refs
    .filter(({ kind }) => kind === 'memory')
    .map(({ id, label }) => ({ id, memoryId: id, text: label }))
}

function toWords(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
