import type { EngineQuery } from '../../engine.ts'
import type { MemoryRow } from '../../feed.ts'
import { parseQuery } from '../../text/parse-query.ts'
import { readTerms } from '../../text/terms.ts'
import { mayAnswer } from '../columns/filter-mask.fixture.ts'

type LiveRow = Extract<MemoryRow, { purged: false }>

/** Memories that may answer, evaluated one by one. */
export function listVisible(rows: readonly LiveRow[], query: EngineQuery): readonly LiveRow[] {
  const { ids, filters } = query
  return rows.filter(
    ({ id, facts }) =>
      mayAnswer(facts, query) && [ids, filters.ids].every((list) => list?.includes(id) ?? true),
  )
}

/** Memories with a query term or a matching hint of the reader, and their session neighbours. */
export function listLexicalHits(rows: readonly LiveRow[], query: EngineQuery): readonly string[] {
  const visible = listVisible(rows, query)
  const parsed = parseQuery(query.text, listNames(visible, query.text))
  const terms = new Set([
    ...parsed.terms,
    ...parsed.translations.flatMap(({ synonyms, foreign }) => [...synonyms, ...foreign]),
  ])
  const containsTerm = (text: string) => readTerms(text).some((term) => terms.has(term))
  const isHinted = ({ facts, hints }: LiveRow) =>
    facts.agent === query.readScope.agentId && hints.some(containsTerm)
  const hits = visible.filter((row) => containsTerm(row.content) || isHinted(row))
  const neighbours = hits.flatMap((row) => listNeighbours(rows, row))
  const all = new Set([...hits, ...neighbours.filter((row) => visible.includes(row))])
  return Array.from(all, ({ id }) => id).toSorted()
}

/** Words of the question that name a visible speaker; names are single words here. */
function listNames(visible: readonly LiveRow[], text: string): ReadonlySet<string> {
  const queryWords = text.toLowerCase().split(' ')
  const speakers = visible.map(({ facts }) => facts.who.toLowerCase())
  return new Set(speakers.filter((who) => who !== 'user' && queryWords.includes(who)))
}

function listNeighbours(rows: readonly LiveRow[], { id, facts }: LiveRow): readonly LiveRow[] {
  if (facts.session === null) return []
  const session = rows
    .filter((row) =>
      (['session', 'agent', 'project'] as const).every((key) => row.facts[key] === facts[key]),
    )
    .toSorted((a, b) => a.facts.createdAt - b.facts.createdAt || (a.id < b.id ? -1 : 1))
  const at = session.findIndex((row) => row.id === id)
  return [session[at - 1], session[at + 1]].filter((row) => row !== undefined)
}
