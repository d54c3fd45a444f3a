import { readFileSync } from 'node:fs'

export interface Piece {
  readonly corpus: string
  readonly id: string
  readonly session: string
  readonly time: string | null
  readonly speaker: string
  readonly project?: string | null
  readonly text: string
}

export interface Question {
  readonly corpus: string
  readonly id: string
  readonly time: string | null
  readonly text: string
}

export interface Corpus {
  readonly name: string
  readonly documents: readonly Piece[]
  readonly questions: readonly Question[]
}

type Line = { readonly kind: 'document' | 'question' } & Piece & Question

/** Some data sets have dates in other forms, which a request may not have. */
function toIso(time: string | null): string | null {
  return time !== null && /^\d{4}-\d\d-\d\dT/.test(time) ? time : null
}

/** Reads the corpora of a JSON Lines file, in its order. */
export function readCorpora(file: string): readonly Corpus[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .map((line) => ({ ...line, time: toIso(line.time) }))
  return [...Map.groupBy(lines, ({ corpus }) => corpus)].map(([name, own]) => ({
    name,
    documents: own.filter(({ kind }) => kind === 'document'),
    questions: own.filter(({ kind }) => kind === 'question'),
  }))
}
