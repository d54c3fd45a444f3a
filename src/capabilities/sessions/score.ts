import type { SessionId } from './session.ts'

/** How useful the injected memories of a session were. */
export interface Score {
  /** Of version 7: later scores have larger ids. */
  readonly id: string
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
  readonly harness: string
  /** 0 to 1, rounded to two places. */
  readonly score: number
  readonly memoriesRecalled: number
  readonly memoriesUsed: number
  readonly novelContextCount: number
  readonly reasoning: string
  readonly createdAt: string
}

/** A memory that was considered for the beginning of a session. */
export interface OfferedMemory extends SessionId {
  readonly memoryId: string
  /** 1 for the first. */
  readonly rank: number
  readonly source: string
  readonly score: number
  readonly wasInjected: boolean
  readonly createdAt: string
}

/** The input of the score. */
interface SessionContent {
  /** Contents of the injected memories. */
  readonly injected: readonly string[]
  /** Text of the conversation. */
  readonly transcript: string
}

const usedWeight = 0.7
const noveltyWeight = 0.3
/** More novel names do not lower the score further. */
const maxNovelNames = 10
/** Shorter words are not distinctive. */
const minDistinctiveLength = 5
/** A memory is used when this many of its distinctive words occur in the transcript. */
const minUsedWords = 2

type ScoreResult = Pick<
  Score,
  'score' | 'memoriesRecalled' | 'memoriesUsed' | 'novelContextCount' | 'reasoning'
>

/**
 * `0.7 × used ÷ max(1, injected) − 0.3 × min(1, novel ÷ 10)`, clamped to 0…1. A memory is used if two of
 * its distinctive words occur in the transcript, or all if it has fewer. Distinctive words occur in one
 * injected memory only. A name is novel if it occurs twice or more and in no injected memory.
 */
export function scoreSession({ injected, transcript }: SessionContent): ScoreResult {
  const transcriptWords = new Set(wordsOf(transcript))
  const words = injected.map((text) => new Set(wordsOf(text)))
  const documentFrequency = new Map<string, number>()
  for (const word of words.flatMap((own) => [...own]))
    documentFrequency.set(word, (documentFrequency.get(word) ?? 0) + 1)
  const isDistinctive = (word: string) =>
    word.length >= minDistinctiveLength && documentFrequency.get(word) === 1
  const used = words.filter((own) => isUsed([...own].filter(isDistinctive), transcriptWords)).length
  const novel = namesIn(transcript).filter((name) => !documentFrequency.has(name)).length
  const raw =
    (usedWeight * used) / Math.max(1, injected.length) -
    noveltyWeight * Math.min(1, novel / maxNovelNames)
  return {
    score: Math.round(Math.min(1, Math.max(0, raw)) * 100) / 100,
    memoriesRecalled: injected.length,
    memoriesUsed: used,
    novelContextCount: novel,
    reasoning: `${used} of ${injected.length} memories came up again; ${novel} names were new.`,
  }
}

function isUsed(distinctive: readonly string[], transcriptWords: ReadonlySet<string>): boolean {
  const matchCount = distinctive.filter((word) => transcriptWords.has(word)).length
  return matchCount > 0 && matchCount >= Math.min(minUsedWords, distinctive.length)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu) ?? []
}

/** Capitalized words inside sentences that occur at least twice, in lower case. */
function namesIn(text: string): string[] {
  const counts = new Map<string, number>()
  for (const [name] of text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{L}\p{N}_-]{2,}/gu)) {
    const word = name.toLowerCase()
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].flatMap(([name, count]) => (count > 1 ? [name] : []))
}
