import type { NamedEntity } from '../needs.ts'

/** Names that mean themselves in nearly every prompt. */
const common = new Set(
  `agent artifact concept connector document event memory policy preference product project skill
  source system task tool workflow assistant human user`.split(/\s+/),
)
const longestPhrase = 5
/** Of a prompt that quotes a long text, from its beginning and its end. */
const mostWords = 400
const shortestName = 3
const shortestPossessive = 4
const mostEntities = 2
/** Below this a name is too slight to be meant, and below this share of the best it is another. */
const leastStrength = 8
const leastShare = 0.45

/** Every run of words in the prompt that could be a name; `mauds` may be Maud's. */
export function listPhrases(normalized: string): string[] {
  const words = normalized.split(' ')
  const half = mostWords / 2
  const parts = words.length > mostWords ? [words.slice(0, half), words.slice(-half)] : [words]
  const phrases = parts.flatMap(listRuns)
  const bare = phrases.flatMap((phrase) =>
    phrase.endsWith('s') && phrase.length > shortestPossessive ? [phrase.slice(0, -1)] : [],
  )
  return [...new Set([...phrases, ...bare])].filter(({ length }) => length >= shortestName)
}

function listRuns(words: readonly string[]): string[] {
  return words.flatMap((_, start) =>
    Array.from({ length: Math.min(longestPhrase, words.length - start) }, (_, length) =>
      words.slice(start, start + length + 1).join(' '),
    ),
  )
}

/** The entities a prompt speaks of, the strongest first; a phrase that could mean two means none. */
export function chooseEntities(found: readonly NamedEntity[]): readonly NamedEntity[] {
  const meant = found.filter(({ phrase, pinned }) => pinned || !common.has(phrase))
  const ranked = meant
    .map((entity) => ({ entity, strength: strengthOf(entity) }))
    .toSorted((a, b) => b.strength - a.strength || a.entity.id.localeCompare(b.entity.id))
  const best = ranked[0]?.strength ?? 0
  const chosen: NamedEntity[] = []
  for (const { entity, strength } of ranked) {
    if (strength < Math.max(leastStrength, leastShare * best)) break
    if (chosen.length === mostEntities) break
    const rivals = ranked.filter((other) => isRival(other, { entity, strength }))
    if (rivals.length > 0 || chosen.some((other) => overlaps(other, entity))) continue
    chosen.push(entity)
  }
  return chosen
}

interface Ranked {
  readonly entity: NamedEntity
  readonly strength: number
}

function isRival(other: Ranked, one: Ranked): boolean {
  return (
    other.entity.id !== one.entity.id &&
    other.entity.phrase === one.entity.phrase &&
    other.strength === one.strength
  )
}

function overlaps(one: NamedEntity, other: NamedEntity): boolean {
  return one.id === other.id || holds(one.phrase, other.phrase) || holds(other.phrase, one.phrase)
}

/** Word by word: `adams` does not hold `ada`. */
function holds(phrase: string, other: string): boolean {
  return ` ${phrase} `.includes(` ${other} `)
}

function strengthOf({ phrase, mentions, pinned, isAlias }: NamedEntity): number {
  const words = phrase.split(' ').length
  return (
    8 * words +
    0.35 * phrase.length +
    Math.log(1 + mentions) +
    (pinned ? 8 : 0) -
    (isAlias ? 0.25 : 0)
  )
}
