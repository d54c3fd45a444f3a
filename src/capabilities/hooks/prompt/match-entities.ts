import type { NamedEntity } from '../needs.ts'

/** Common words that name no entity, unless it is pinned. */
const common = new Set(
  `agent artifact concept connector document event memory policy preference product project skill
  source system task tool workflow assistant human user`.split(/\s+/),
)
const maxPhraseWords = 5
/** Words of a long prompt, half from its start and half from its end. */
const maxWords = 400
const minNameLength = 3
const minPossessiveLength = 4
const maxEntities = 2
/** Weaker names are ignored, absolutely and relative to the best. */
const minStrength = 8
const minShareOfBest = 0.45

/** Word n-grams of the prompt, also without a possessive `s`. */
export function listPhrases(normalized: string): string[] {
  const words = normalized.split(' ')
  const half = maxWords / 2
  const parts = words.length > maxWords ? [words.slice(0, half), words.slice(-half)] : [words]
  const phrases = parts.flatMap(listRuns)
  const bare = phrases.flatMap((phrase) =>
    phrase.endsWith('s') && phrase.length > minPossessiveLength ? [phrase.slice(0, -1)] : [],
  )
  return [...new Set([...phrases, ...bare])].filter(({ length }) => length >= minNameLength)
}

function listRuns(words: readonly string[]): string[] {
  return words.flatMap((_, start) =>
    Array.from({ length: Math.min(maxPhraseWords, words.length - start) }, (_, length) =>
      words.slice(start, start + length + 1).join(' '),
    ),
  )
}

/** The entities that a prompt names, strongest first. An ambiguous phrase matches none. */
export function chooseEntities(found: readonly NamedEntity[]): readonly NamedEntity[] {
  const meant = found.filter(({ phrase, pinned }) => pinned || !common.has(phrase))
  const ranked = meant
    .map((entity) => ({ entity, strength: strengthOf(entity) }))
    .toSorted((a, b) => b.strength - a.strength || a.entity.id.localeCompare(b.entity.id))
  const best = ranked[0]?.strength ?? 0
  const chosen: NamedEntity[] = []
  for (const { entity, strength } of ranked) {
    if (strength < Math.max(minStrength, minShareOfBest * best)) break
    if (chosen.length === maxEntities) break
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

/** Whole words: `adams` does not contain `ada`. */
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
