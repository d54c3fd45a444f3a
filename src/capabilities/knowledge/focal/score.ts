import { toPhrase, toStem } from '../name.ts'
import type { FocalClaim } from '../store/best-claims.ts'

const valueWeight = 0.8
const coverageWithoutWords = 0.5

/** The share of the words that a claim is about: its key counts fully, the rest for less. */
export function coverageOf(claim: FocalClaim, stems: readonly string[]): number {
  if (stems.length === 0) return coverageWithoutWords
  const key = listStems(claim.claimKey)
  const others = listStems(`${claim.aspectName} ${claim.groupKey} ${claim.content}`)
  const sum = stems.reduce(
    (total, stem) => total + (key.has(stem) ? 1 : others.has(stem) ? valueWeight : 0),
    0,
  )
  return sum / stems.length
}

function listStems(text: string): ReadonlySet<string> {
  return new Set(toPhrase(text.replaceAll('_', ' ')).split(' ').map(toStem))
}

/** Structured evidence of a claim, from 0 to 1. */
export function scoreClaim(claim: FocalClaim, coverage: number): number {
  return coverage * (0.55 + 0.3 * claim.importance + 0.15 * claim.confidence)
}
