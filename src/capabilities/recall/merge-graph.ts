import type { Scored } from './lexical-search.ts'

/** What graph evidence adds to a memory that was found directly. */
const maxBonus = 0.15
const bonusShare = 0.2
/** The score of memories that only the graph found. */
const caps: Readonly<Record<string, number>> = { structured: 0.75, traversal: 0.35 }
/** Without a direct hit, weaker evidence is no answer. */
const minAlone = 0.5
/** The share of an answer that only the graph found. */
const maxShare = 0.4

interface Linked {
  readonly hits: readonly Scored[]
  readonly limit: number
  /** The memories that derived memories cite. */
  readonly cited: ReadonlyMap<string, readonly string[]>
}

/** Adds graph hits to direct ones. Without graph hits and derived memories nothing changes. */
export function mergeGraph(direct: readonly Scored[], { hits, limit, cited }: Linked): Scored[] {
  const own = dropDerived(direct, hits, cited)
  const byId = new Map(own.map((hit) => [hit.found.memory.id, hit]))
  const best = own.reduce((score, hit) => Math.max(score, hit.score), 0)
  const alone = hits.filter((hit) => !byId.has(hit.found.memory.id))
  for (const hit of hits) {
    const existing = byId.get(hit.found.memory.id)
    if (existing) byId.set(hit.found.memory.id, addEvidence(existing, hit))
  }
  const added = alone
    .filter(({ score }) => own.length > 0 || score >= minAlone)
    .map((hit) => {
      const cap = Math.min(caps[hit.source] ?? 1, own.length > 0 ? best : 1)
      return { ...hit, score: Math.min(hit.score, cap) }
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, own.length > 0 ? Math.floor(maxShare * limit) : limit)
  return [...byId.values(), ...added]
}

function addEvidence(hit: Scored, link: Scored): Scored {
  const score = Math.max(hit.score, Math.min(1, hit.score + bonusOf(link)))
  const reason = 'the direct score with graph evidence'
  return {
    ...hit,
    score,
    reading: link.reading ?? hit.reading,
    stages: [...hit.stages, ...link.stages, { name: 'fused', score, reason }],
  }
}

function bonusOf({ score }: Scored): number {
  return Math.min(maxBonus, bonusShare * score)
}

/** A derived memory gives its score to the cited memories that are candidates. */
function dropDerived(
  direct: readonly Scored[],
  hits: readonly Scored[],
  cited: ReadonlyMap<string, readonly string[]>,
): readonly Scored[] {
  if (cited.size === 0) return direct
  const known = new Map([...hits, ...direct].map((hit) => [hit.found.memory.id, hit]))
  const remaining = new Map(direct.map((hit) => [hit.found.memory.id, hit]))
  for (const hit of direct) {
    const { id } = hit.found.memory
    const sources = (cited.get(id) ?? []).flatMap((source) => known.get(source) ?? [])
    if (sources.length === 0) continue
    remaining.delete(id)
    for (const source of sources) {
      const own = remaining.get(source.found.memory.id)
      remaining.set(source.found.memory.id, takeDerived(own, { source, derived: hit }))
    }
  }
  return [...remaining.values()]
}

interface Taken {
  readonly source: Scored
  readonly derived: Scored
}

/** What the claim states counts with its score, unless the memory itself has a higher one. */
function takeDerived(own: Scored | undefined, { source, derived }: Taken): Scored {
  const score = Math.max(derived.score, own?.score ?? 0)
  const reason = 'the score of a claim that cites it'
  const stages = [...(own ?? source).stages, { name: 'derived', score, reason }]
  const hit = { ...(own ?? source), score, stages }
  if (derived.score < score) return hit
  const { evidence, reading } = derived
  return { ...hit, ...(evidence && { evidence }), ...(reading !== undefined && { reading }) }
}
