import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import { readDate } from '../../../kernel/http/wire-values.ts'

/** Reads the fields of a payload under their snake-case or camel-case names. */
export interface Fields {
  /** The first of these names that has a text. */
  text(...names: readonly string[]): string | undefined
  required(...names: readonly [string, ...string[]]): string
  /** From 0 to 1. */
  share(name: string): number | undefined
  flag(name: string): boolean
  list(name: string): readonly string[]
  time(name: string): string | undefined
}

const maxValueLength = 8_000
const maxReasonLength = 2_000
const maxListed = 200

export function readFields(payload: Readonly<Record<string, unknown>>): Fields {
  const read = (name: string) => payload[name] ?? payload[toCamelCase(name)]
  const text: Fields['text'] = (...names) => {
    for (const name of names) {
      const value = toText(name, read(name))
      if (value !== undefined) return value
    }
    return undefined
  }
  return {
    text,
    required: (...names) => {
      const value = text(...names)
      if (value === undefined) throw invalidRequest(`${names[0]} is required`)
      return value
    },
    share: (name) => {
      const value = read(name)
      if (value === undefined || value === null) return undefined
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number !== 'number' || !Number.isFinite(number))
        throw invalidRequest(`${name} must be a number`)
      return Math.min(1, Math.max(0, number))
    },
    flag: (name) => ['true', '1'].includes(String(read(name)).toLowerCase()),
    list: (name) => toList(name, read(name)),
    time: (name) => {
      const value = read(name)
      if (value === undefined || value === null || value === '') return undefined
      const date = readDate(value)
      if (!date) throw invalidRequest(`${name} must be a valid ISO timestamp`)
      return date.toISOString()
    },
  }
}

function toText(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    if (value === undefined || value === null) return undefined
    throw invalidRequest(`${name} must be a text`)
  }
  const text = value.toWellFormed().trim()
  if (text.includes('\0')) throw invalidRequest(`${name} must not contain NUL`)
  const maxLength = name === 'reason' || name === 'description' ? maxReasonLength : maxValueLength
  if (text.length > maxLength)
    throw invalidRequest(`${name} must have at most ${maxLength} characters`)
  return text === '' ? undefined : text
}

function toList(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  const items = [value].flat().map((item) => toText(name, item))
  const texts = [...new Set(items.filter((item) => item !== undefined))]
  if (texts.length > maxListed) throw invalidRequest(`${name} must have at most ${maxListed} items`)
  return texts
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
