import type { SessionId } from './session.ts'

/** How well what a session was told served it. */
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

/** What is measured at the end of a session. */
interface Measured {
  /** The words of each memory that was told. */
  readonly told: readonly string[]
  /** What was said in the session. */
  readonly spoken: string
}

const usedWeight = 0.7
const noveltyWeight = 0.3
/** So many new names count as all that there could be. */
const muchNovelty = 10
/** A word shorter than this tells memories little apart. */
const shortestDistinctive = 5
/** A memory counts as used when so many of its distinctive words were said. */
const wordsToBeUsed = 2

type Judged = Pick<
  Score,
  'score' | 'memoriesRecalled' | 'memoriesUsed' | 'novelContextCount' | 'reasoning'
>

/**
 * `0.7 × used ÷ max(1, told) − 0.3 × min(1, novel ÷ 10)`, within 0 and 1. Used is a memory of whose
 * distinctive words (those no other one told has) two were said, or all if it has fewer; novel is a
 * name that was said twice or more and stands in nothing that was told.
 */
export function judge({ told, spoken }: Measured): Judged {
  const said = new Set(wordsOf(spoken))
  const words = told.map((text) => new Set(wordsOf(text)))
  const tellers = new Map<string, number>()
  for (const word of words.flatMap((own) => [...own]))
    tellers.set(word, (tellers.get(word) ?? 0) + 1)
  const isDistinctive = (word: string) =>
    word.length >= shortestDistinctive && tellers.get(word) === 1
  const used = words.filter((own) => isUsed([...own].filter(isDistinctive), said)).length
  const novel = namesIn(spoken).filter((name) => !tellers.has(name)).length
  const raw =
    (usedWeight * used) / Math.max(1, told.length) -
    noveltyWeight * Math.min(1, novel / muchNovelty)
  return {
    score: Math.round(Math.min(1, Math.max(0, raw)) * 100) / 100,
    memoriesRecalled: told.length,
    memoriesUsed: used,
    novelContextCount: novel,
    reasoning: `${used} of ${told.length} memories came up again; ${novel} names were new.`,
  }
}

function isUsed(distinctive: readonly string[], said: ReadonlySet<string>): boolean {
  const heard = distinctive.filter((word) => said.has(word)).length
  return heard > 0 && heard >= Math.min(wordsToBeUsed, distinctive.length)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu) ?? []
}

/** Words that begin with a capital inside a sentence, in lower case, if they are said twice. */
function namesIn(text: string): string[] {
  const counts = new Map<string, number>()
  for (const [name] of text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{L}\p{N}_-]{2,}/gu)) {
    const word = name.toLowerCase()
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].flatMap(([name, count]) => (count > 1 ? [name] : []))
}
