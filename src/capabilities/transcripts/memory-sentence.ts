import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Turn } from './transcript.ts'

export interface MemorySentence {
  readonly text: CleanText
  readonly quality: 'ok' | 'fallback'
}

const minWords = 12
const maxWords = 48
/** Maximum turns, and characters of each, that are scanned for one sentence. */
export const maxSentenceTurns = 200
/** Maximum characters of all turns. */
export const maxSentenceTailLength = 262_144
const maxTurnLength = 4_000

const filler =
  /^(?:sure|okay|ok|great|thanks|thank you|sorry|let me|i will|i'll|here is|here's|you're)\b/i
/** A file, a call, a name inside a sentence, or a decision. */
const concrete =
  /[\w/-]+\.[a-z]{1,5}\b|`[^`]{2,}`|\w\(\)|\s[A-Z][a-z]+[A-Z]?\w*|\b(?:decided|agreed|chose|fixed|added|removed|migrated|released)\b/

/** Returns one sentence that identifies the session: a quoted one, or one made of its metadata. */
export function findMemorySentence(turns: readonly Turn[], facts: SessionFacts): MemorySentence {
  const candidates = turns
    .slice(-maxSentenceTurns)
    .toReversed()
    .toSorted((a, b) => Number(a.role !== 'assistant') - Number(b.role !== 'assistant'))
  for (const { text } of candidates) {
    const sentence = splitSentences(text.slice(0, maxTurnLength)).find(isInformative)
    if (sentence !== undefined) return { text: toCleanText(sentence), quality: 'ok' }
  }
  return { text: toCleanText(fallback(facts)), quality: 'fallback' }
}

interface SessionFacts {
  readonly project: string | null
  readonly harness: string
  readonly capturedAt: string
  /** 0 for unknown turns. */
  readonly turns: number
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/).map((sentence) => sentence.trim())
}

function isInformative(sentence: string): boolean {
  const words = sentence.split(/\s+/).length
  const isSentence = /[.!?]$/.test(sentence) && !sentence.includes('[tool: ')
  const isInRange = words >= minWords && words <= maxWords
  return isSentence && isInRange && !filler.test(sentence) && concrete.test(sentence)
}

function fallback({ project, harness, capturedAt, turns }: SessionFacts): string {
  const where = project === null ? 'without a project' : `in the project ${project}`
  const count = turns === 1 ? 'one turn' : `${turns} turns`
  const extent = turns === 0 ? '' : ` with ${count} of conversation`
  return `A session of the harness ${harness} ${where} was captured on ${capturedAt.slice(0, 10)}${extent}.`
}
