import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { throwMalformed } from './config-errors.ts'
import { cutValue, putValue } from './json-text.ts'

export type Path = readonly (string | number)[]
export type Document = ReturnType<typeof createDocument>

/** A JSON text, with comments or without, that is changed where it is told and nowhere else. */
export function createDocument(path: string, written: string) {
  let text = written.trim() === '' ? '{}\n' : written
  const read = (): unknown => parseStrictly(path, text)
  const get = (at: Path): unknown =>
    at.reduce<unknown>((value, step) => Object(value)[step], read())
  const isEmpty = (at: Path) => {
    const value = get(at)
    return typeof value === 'object' && value !== null && Object.keys(value).length === 0
  }
  const set = (at: Path, value: unknown) => {
    assertParents(path, read(), at)
    text = putValue(text, at, value)
  }
  const remove = (at: Path) => {
    text = cutValue(text, at)
  }
  read()
  return {
    ...{ path, get, set, remove, isEmpty },
    /** Refused rather than given when it cannot be read any more. */
    text: () => {
      read()
      return text
    },
    append: (list: Path, value: unknown) =>
      get(list) === undefined
        ? set(list, [value])
        : set([...list, Object(get(list)).length], value),
    removeIfEmpty: (at: Path) => {
      if (at.length > 0 && isEmpty(at)) remove(at)
    },
  }
}

function parseStrictly(path: string, text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) throwMalformed(path, lineAt(text, first.offset), printParseErrorCode(first.error))
  if (!isObject(value)) throwMalformed(path, 1, 'not a JSON object')
  return value
}

/** Where a value stands that can hold nothing, writing would lose it. */
function assertParents(path: string, root: unknown, at: Path): void {
  let value = root
  for (const [depth, step] of at.entries()) {
    const isFit = typeof step === 'number' ? Array.isArray(value) : isObject(value)
    const name = at.slice(0, depth).join('.')
    if (!isFit) throwMalformed(path, undefined, `${name} has another type`)
    value = Object(value)[step]
    if (value === undefined) return
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
