import type { EngineQuery } from '../../engine.ts'
import type { MemoryRow } from '../../feed.ts'
import { parseQuery } from '../../text/query.ts'
import { readTerms } from '../../text/terms.ts'
import { mayAnswer } from '../columns/filter-mask.fixture.ts'

type Kept = Extract<MemoryRow, { purged: false }>

/** Those that the question may be answered with, each looked at by itself. */
export function listVisible(rows: readonly Kept[], query: EngineQuery): readonly Kept[] {
  const { ids, filters } = query
  return rows.filter(
    ({ id, facts }) =>
      mayAnswer(facts, query) && [ids, filters.ids].every((list) => list?.includes(id) ?? true),
  )
}

/** Those that hold a word of the question, or a hint for who asks does, and what was said beside them. */
export function listFoundByWords(rows: readonly Kept[], query: EngineQuery): readonly string[] {
  const visible = listVisible(rows, query)
  const terms = new Set(parseQuery(query.text, listNames(visible, query.text)).terms)
  const holds = (text: string) => readTerms(text).some((term) => terms.has(term))
  const isHinted = ({ facts, hints }: Kept) =>
    facts.agent === query.readScope.agentId && hints.some(holds)
  const found = visible.filter((row) => holds(row.content) || isHinted(row))
  const beside = found.flatMap((row) => listNeighbours(rows, row))
  const all = new Set([...found, ...beside.filter((row) => visible.includes(row))])
  return Array.from(all, ({ id }) => id).toSorted()
}

/** Words of the question by which one is named who has said something visible; here a name is one word. */
function listNames(visible: readonly Kept[], text: string): ReadonlySet<string> {
  const asked = text.toLowerCase().split(' ')
  const speakers = visible.map(({ facts }) => facts.who.toLowerCase())
  return new Set(speakers.filter((who) => who !== 'user' && asked.includes(who)))
}

function listNeighbours(rows: readonly Kept[], { id, facts }: Kept): readonly Kept[] {
  if (facts.session === null) return []
  const session = rows
    .filter((row) =>
      (['session', 'agent', 'project'] as const).every((key) => row.facts[key] === facts[key]),
    )
    .toSorted((a, b) => a.facts.createdAt - b.facts.createdAt || (a.id < b.id ? -1 : 1))
  const at = session.findIndex((row) => row.id === id)
  return [session[at - 1], session[at + 1]].filter((row) => row !== undefined)
}
