import { rank } from './rank.ts'
import { noNeighbour, type RankingInput } from './ranking-input.ts'

export interface Row {
  readonly lexical?: number
  readonly vector?: number
  readonly hint?: number
  readonly soft?: number
  readonly options?: number
  readonly who?: string
  readonly named?: boolean
  readonly words?: number
  readonly traits?: number
  readonly session?: number
  readonly terms?: readonly string[]
  readonly related?: boolean
}

export const row = {
  lexical: 1,
  vector: 0.5,
  hint: 0,
  soft: 0,
  options: 0,
  who: 'ada',
  named: false,
  words: 20,
  traits: 0,
  session: 0,
  terms: [] as readonly string[],
  related: false,
}

/** The slots, best first. */
export function order(rows: readonly Row[], queryTraits = 0): number[] {
  return ask(rows, queryTraits).ranked.map(({ slot }) => slot)
}

/** Rows in the order of messages; the coverage of a row grows with its words. */
export function ask(
  rows: readonly Row[],
  queryTraits = 0,
  alpha?: number,
  vectorKind: RankingInput['vectorKind'] = 'static',
) {
  const at = (slot: number) => ({ ...row, ...rows[slot] })
  const column = <Value>(valueAt: (row: ReturnType<typeof at>, slot: number) => Value) =>
    rows.map((_, slot) => valueAt(at(slot), slot))
  const neighbourOf = (step: number) =>
    column(({ session }, slot) => {
      const other = slot + step
      return session !== 0 && rows[other] && at(other).session === session ? other : noNeighbour
    })
  const input: RankingInput = {
    rankedCount: rows.length,
    scoredCount: rows.length,
    lexical: column(({ lexical }) => lexical),
    vector: column(({ vector }) => vector),
    passage: column(({ vector }) => vector),
    hint: column(({ hint }) => hint),
    vectorKind,
    soft: column(({ soft }) => soft),
    coverage: (slot) => Math.min(1, at(slot).lexical / 2),
    softCoverage: column(({ options }) => options),
    hintCoverage: (slot) => Math.min(1, at(slot).hint),
    isAbsenceSignificant: true,
    who: column(({ who }) => who),
    isNamedSpeaker: column(({ named }) => (named ? 1 : 0)),
    words: column(({ words }) => words),
    traits: column(({ traits }) => traits),
    queryTraits,
    isRelated: column(({ related }) => (related ? 1 : 0)),
    session: column(({ session }) => session),
    terms: (slot) => at(slot).terms,
    before: neighbourOf(-1),
    after: neighbourOf(+1),
    createdAt: () => 0,
    byRecency: (slot, other) => slot - other,
  }
  return rank(input, { limit: rows.length, alpha })
}
