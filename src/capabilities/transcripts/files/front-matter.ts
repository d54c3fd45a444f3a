import { createHash } from 'node:crypto'
import { neutralize, neutralizeTexts } from '../../../kernel/redaction/neutralize.ts'

/** What front matter may hold: texts are quoted as JSON, which is YAML, and nothing is `null`. */
export type Field = readonly [name: string, value: string | number | null | readonly string[]]

export const hashScope = 'body-normalized-v1'

/** As it is hashed and written: without marks that a model would obey, LF, no blanks at the ends of lines, no blank lines at the end, and a newline. */
export function normalizeBody(body: string): string {
  const lines = neutralize(body)
    .split('\n')
    .map((line) => line.trimEnd())
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return `${lines.join('\n')}\n`
}

export function hashBody(body: string): string {
  return createHash('sha256').update(normalizeBody(body)).digest('hex')
}

export function renderArtifact(fields: readonly Field[], body: string): string {
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(neutralizeTexts(value))}`)
  return `---\n${lines.join('\n')}\n---\n\n${normalizeBody(body)}`
}
