import type { EngineCandidate, EngineQuery } from '../engine.ts'
import { flag } from './columns/columns.ts'
import type { SearchIndex } from './index/search-index.ts'
import { bestSlots } from './ranking/best-slots.ts'
import { type Ranked, rank } from './ranking/rank.ts'
import type { Scene } from './ranking/scene.ts'
import { weights } from './ranking/weights.ts'
import { fold, readTerms } from './text/terms.ts'
import type { Nearness } from './vectors/vector-space.ts'

/** Of each kind of evidence, and of all together. */
const bestOfEach = 60
const bestOfAll = 300
/** The neighbours of so many are looked at too. */
const widened = 60
const operators = /\b(?:AND|OR|NOT|NEAR)\b/g

export type Clock = () => number

/** What was found, and how long each part of the search took. */
export interface Found {
  readonly candidates: readonly EngineCandidate[]
  readonly timings: readonly { readonly name: string; readonly durationMs: number }[]
}

export function search(index: SearchIndex, query: EngineQuery, clock: Clock): Found {
  const watch = createWatch(clock)
  const mask = readMask(index, query)
  watch.lap('mask')
  const fields = score(index, query, { mask, lap: watch.lap })
  const scene = toScene(index, query, fields)
  const ranked = rank(scene, choosePool(scene, fields, query.limit))
  const candidates = ranked
    .slice(0, query.limit)
    .map((one) => toCandidate(index, scene, one, query.explain === true))
  watch.lap('ranking')
  return { candidates, timings: watch.laps }
}

/** Undefined where the memory is out of sight, or has no vector of this identity. */
export function findSimilar(
  index: SearchIndex,
  query: Pick<EngineQuery, 'readScope' | 'filters' | 'limit'> & { id: string; identity: string },
): readonly EngineCandidate[] | undefined {
  const slot = index.slots.get(query.id)
  const space = index.spaces.get(query.identity)
  const vector = slot === undefined ? undefined : space?.vectorOf(slot)
  const { readScope, filters } = query
  const seen = index.masks.read(index.changes, { readScope, filters: { scope: filters.scope } })
  if (slot === undefined || !space || !vector || seen[slot] !== 1) return undefined
  const mask = Uint8Array.from(readMask(index, query))
  mask[slot] = 0
  const { whole } = space.search(vector, mask)
  return bestSlots(whole, query.limit).map((near) => {
    const cosine = Math.min(1, whole[near] ?? 0)
    const evidence = { lexical: 0, vector: cosine, hint: 0 }
    return { id: index.ids[near] ?? '', score: cosine, source: 'vector', evidence }
  })
}

function readMask(
  index: SearchIndex,
  { readScope, filters, ids, asOf }: Pick<EngineQuery, 'readScope' | 'filters' | 'ids' | 'asOf'>,
): Uint8Array {
  const mask = index.masks.read(index.changes, { readScope, filters, asOf })
  const lists = [filters.ids, ids].filter((list) => list !== undefined)
  return lists.reduce((mask, list) => keepOnly(index, mask, list), mask)
}

function keepOnly({ slots }: SearchIndex, mask: Uint8Array, ids: readonly string[]): Uint8Array {
  const kept = new Uint8Array(mask.length)
  for (const id of ids) {
    const slot = slots.get(id)
    if (slot !== undefined) kept[slot] = mask[slot] ?? 0
  }
  return kept
}

/** The evidence of each slot; 0 for those that may not answer. */
interface Fields {
  readonly mask: Uint8Array
  readonly terms: readonly string[]
  readonly lexical: Float32Array
  readonly hint: Float32Array
  readonly near: Nearness | undefined
}

function score(
  index: SearchIndex,
  { text, keywordQuery, vector, readScope }: EngineQuery,
  { mask, lap }: { readonly mask: Uint8Array; readonly lap: (name: string) => void },
): Fields {
  const terms = readTerms(keywordQuery?.replaceAll(operators, ' ') ?? text)
  const lexical = keepMasked(index.words.score(terms), mask)
  const own = index.columns.dictionaries.agent.find(readScope.agentId)
  const agents = index.columns.codes.agent.values
  const hint = keepMasked(index.hints.score(terms), mask)
  for (let slot = 0; slot < hint.length; slot++) if (agents[slot] !== own) hint[slot] = 0
  lap('words')
  const space = vector && index.spaces.get(vector.identity)
  const near =
    space?.dims === vector?.values.length && vector ? space?.search(vector.values, mask) : undefined
  if (near) lap('vectors')
  return { mask, terms, lexical, hint, near }
}

function keepMasked(scores: Float32Array, mask: Uint8Array): Float32Array {
  for (let slot = 0; slot < scores.length; slot++) if (mask[slot] !== 1) scores[slot] = 0
  return scores
}

function toScene(index: SearchIndex, { text }: EngineQuery, fields: Fields): Scene {
  const { columns, words, hints, sessions } = index
  const { mask, lexical, hint, near } = fields
  const asked = new Set(fold(text).match(/[\p{L}\p{N}]+/gu) ?? [])
  const { who } = columns.dictionaries
  const vector = (slot: number) => near?.whole[slot] ?? 0
  return {
    asked,
    lexical: (slot) => lexical[slot] ?? 0,
    vector,
    passage: (slot) => Math.max(near?.passage[slot] ?? 0, vector(slot)),
    hint: (slot) => hint[slot] ?? 0,
    best: {
      ...{ lexical: mostOf(lexical), hint: mostOf(hint), vector: mostOf(near?.whole) },
      passage: Math.max(mostOf(near?.passage), mostOf(near?.whole)),
    },
    who: (slot) => fold(who.words[columns.codes.who.values[slot] ?? 0] ?? ''),
    length: (slot) => words.lengthOf(slot),
    asks: (slot) => ((columns.flags.values[slot] ?? 0) & flag.asks) !== 0,
    session: (slot) => columns.codes.session.values[slot] ?? 0,
    neighbours: (slot) => besides(sessions.around(slot), slot).filter((near) => mask[near] === 1),
    newestFirst: (slot, other) => index.oldestFirst(other, slot),
    coverage: createCoverage(words, fields.terms),
    hintCoverage: (slot) => ((hint[slot] ?? 0) > 0 ? createCoverage(hints, fields.terms)(slot) : 0),
  }
}

/** The share of the question's terms that a slot holds, each as much as it is rare. */
function createCoverage({ rarityOf, termsOf }: SearchIndex['words'], terms: readonly string[]) {
  const rarities = new Map(terms.map((term) => [term, rarityOf(term)]))
  const all = [...rarities.values()].reduce((sum, rarity) => sum + rarity, 0)
  return (slot: number): number => {
    const held = termsOf(slot).reduce((sum, [term]) => sum + (rarities.get(term) ?? 0), 0)
    return all > 0 ? held / all : 0
  }
}

/** The best of each kind, the best of all kinds together, and what was said beside the best. */
function choosePool(scene: Scene, { lexical, hint, near, mask }: Fields, limit: number): number[] {
  const all = new Float32Array(mask.length)
  const shares = [
    [lexical, weights.lexical / (scene.best.lexical || 1)],
    [near?.whole, weights.vector / (scene.best.vector || 1)],
    [near?.passage, weights.passage / (scene.best.passage || 1)],
  ] as const
  for (const [scores, weight] of shares)
    if (scores)
      for (let slot = 0; slot < scores.length; slot++)
        all[slot] = (all[slot] as number) + weight * (scores[slot] as number)
  const best = bestSlots(all, Math.max(bestOfAll, limit))
  const each = [lexical, near?.whole, near?.passage, hint].flatMap((scores) =>
    scores ? bestSlots(scores, bestOfEach) : [],
  )
  const beside = best.slice(0, widened).flatMap(scene.neighbours)
  return [...new Set([...best, ...each, ...beside])]
}

function toCandidate(
  index: SearchIndex,
  scene: Scene,
  { slot, score, source, stages }: Ranked,
  explain: boolean,
): EngineCandidate {
  const evidence = {
    lexical: scene.coverage(slot),
    vector: Math.min(1, Math.max(scene.vector(slot), scene.passage(slot))),
    hint: scene.hintCoverage(slot),
  }
  const found = { id: index.ids[slot] ?? '', score: Math.min(1, score), source, evidence }
  return explain ? { ...found, stages } : found
}

function besides(session: readonly number[], slot: number): number[] {
  const at = session.indexOf(slot)
  if (at === -1) return []
  return [session[at - 1], session[at + 1]].filter((near) => near !== undefined)
}

function mostOf(scores: Float32Array | undefined): number {
  let most = 0
  for (const score of scores ?? []) if (score > most) most = score
  return most
}

function createWatch(clock: Clock) {
  const laps: { name: string; durationMs: number }[] = []
  let from = clock()
  return {
    laps,
    lap: (name: string) => {
      const now = clock()
      laps.push({ name, durationMs: now - from })
      from = now
    },
  }
}
