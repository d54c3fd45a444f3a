import type { AnswerHit } from './hit.ts'
import { rankAnswers } from './rank-answers.ts'
import type { TextSimilarity } from './text-similarity.ts'
import { readTimeRange } from './time-range.ts'

export interface Row extends Partial<AnswerHit> {
  readonly content: string
}

export const evidence = { lexical: 0.7, soft: 0.7, vector: 0.5, hint: 0 }

export const hitDefaults = {
  who: 'ada',
  agentId: 'ada',
  project: null,
  isTurn: false,
  evidence,
  createdAt: '2025-01-10T00:00:00.000Z',
}

export function rankRows(query: string, rows: readonly Row[], similarity?: TextSimilarity) {
  const hits = rows.map((row, index) => ({
    ...hitDefaults,
    score: 0.8,
    createdAt: `2025-0${index + 1}-10T00:00:00.000Z`,
    ...row,
  }))
  const range = readTimeRange(query, { now: new Date('2025-09-20T00:00:00Z'), timeZone: 'UTC' })
  return rankAnswers(hits, { query, range, corrections: [], vectorKind: 'static', similarity })
}

export const firstOf = (query: string, rows: readonly Row[]) =>
  rankRows(query, rows)[0]?.hit.content
