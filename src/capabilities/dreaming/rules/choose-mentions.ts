import { containsName } from '../check/grounding.ts'
import { isHostile } from './hostile.ts'
import { languages } from './language.ts'
import { maskBlocks, maskText } from './mask.ts'
import { splitSentences, splitTurns } from './sentences.ts'
import { maskCharacter } from './tokens.ts'

export interface MentionRequest {
  /** Name and aliases of the entity. */
  readonly names: readonly string[]
  readonly sources: readonly MentionSource[]
}

interface MentionSource {
  readonly ref: string
  readonly text: string
  readonly isTranscript: boolean
}

/** The place of a sentence. */
export interface Mention {
  readonly ref: string
  readonly start: number
  readonly length: number
}

interface Candidate extends Mention {
  readonly words: ReadonlySet<string>
}

const maxMentions = 10
const minLength = 20
const maxLength = 300
/** Of one page. */
const maxCandidates = 2_000
/** Sentences that share more of their words say the same. */
const maxOverlap = 0.6

/** The sentences that tell most about an entity: rare words count, length does not. */
export function chooseMentions({ names, sources }: MentionRequest): Mention[] {
  const candidates = sources
    .flatMap((source) => listSentences(source, names))
    .slice(0, maxCandidates)
  const counts = new Map<string, number>()
  for (const { words } of candidates)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scoreOf = ({ words }: Candidate) => {
    const weights = [...words].map((word) =>
      Math.log(1 + candidates.length / (counts.get(word) ?? 1)),
    )
    return weights.reduce((sum, weight) => sum + weight, 0) / Math.sqrt(words.size || 1)
  }
  const ranked = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .toSorted((a, b) => b.score - a.score || compare(a.candidate, b.candidate))
  const chosen: Candidate[] = []
  for (const { candidate } of ranked) {
    if (chosen.length >= maxMentions) break
    if (chosen.every((one) => overlap(one.words, candidate.words) <= maxOverlap))
      chosen.push(candidate)
  }
  return chosen.map(({ ref, start, length }) => ({ ref, start, length }))
}

function listSentences(
  { ref, text, isTranscript }: MentionSource,
  names: readonly string[],
): Candidate[] {
  return splitTurns(text, isTranscript).flatMap((turn) => {
    if (turn.role === 'assistant' || !names.some((name) => containsName(turn.text, name))) return []
    if (isHostile(languages, maskBlocks(turn.text))) return []
    return splitSentences(maskText(turn.text)).flatMap(({ start, end, tokens }): Candidate[] => {
      const sentence = turn.text.slice(start, end)
      const isFit = sentence.length >= minLength && sentence.length <= maxLength
      const isMasked = tokens.some((token) => token.text.includes(maskCharacter))
      if (!isFit || isMasked || !names.some((name) => containsName(sentence, name))) return []
      const words = new Set(tokens.filter(({ kind }) => kind !== 'mark').map(({ lower }) => lower))
      return [{ ref, start: turn.start + start, length: end - start, words }]
    })
  })
}

function compare(one: Mention, other: Mention): number {
  if (one.ref !== other.ref) return one.ref < other.ref ? -1 : 1
  return one.start - other.start
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / (Math.min(one.size, other.size) || 1)
}
