import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import { Unreadable } from '../result.ts'

const maxDepth = 100
const maxValueLength = 100_000

interface Row {
  readonly path: string
  readonly value: unknown
  readonly depth: number
}

interface JsonText {
  /** A line per value: its path and its value. */
  readonly text: string
  readonly canonical: string
}

/** The searchable form of a JSON document, and the document itself. Also reads JSON lines. */
export function convertJson(source: string): JsonText {
  const document = parseJson(source)
  try {
    return {
      text: [...listValues(document)].join('\n'),
      canonical: JSON.stringify(document, null, 2),
    }
  } catch (error) {
    // Nested too deeply for the stack of `JSON.stringify`.
    if (error instanceof RangeError)
      throw new Unreadable('corrupt', 'The JSON is nested too deeply.')
    throw error
  }
}

/** A document, or the list of the documents of JSON lines. */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    const lines = error instanceof SyntaxError ? parseLines(source) : undefined
    if (lines) return lines
    const why = error instanceof RangeError ? 'It is nested too deeply.' : 'It does not parse.'
    throw new Unreadable('corrupt', `The file is no JSON. ${why}`)
  }
}

function parseLines(source: string): unknown[] | undefined {
  const lines = source.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return undefined
  try {
    return lines.map((line) => JSON.parse(line))
  } catch {
    return undefined
  }
}

function* listValues(document: unknown): Generator<string> {
  const waiting: Row[] = [{ path: '', value: document, depth: 0 }]
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    const { path, value, depth } = row
    if (typeof value !== 'object' || value === null) {
      const words = sliceText(String(value), 0, maxValueLength)
      yield path === '' ? words : `${path}: ${words}`
    } else if (depth >= maxDepth) {
      throw new Unreadable('corrupt', `The JSON has more than ${maxDepth} levels.`)
    } else {
      waiting.push(...listMembers(row, value).toReversed())
    }
  }
}

function listMembers({ path, depth }: Row, value: object): Row[] {
  const isList = Array.isArray(value)
  const toPath = (key: string) => {
    if (isList) return `${path}[${key}]`
    return path === '' ? key : `${path}.${key}`
  }
  return Object.entries(value).map(([key, member]) => ({
    path: toPath(key.slice(0, 200)),
    value: member,
    depth: depth + 1,
  }))
}
