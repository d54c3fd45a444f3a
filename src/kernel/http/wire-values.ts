import { z } from 'zod'
import { type CleanText, toCleanText } from '../redaction/clean-text.ts'
import { holdsSecret } from '../redaction/redact.ts'

/**
 * Schemas for request values, as the contract defines them: unusable values count as absent, and
 * errors have the texts of the contract.
 */

/** Documented here; `resolveCaller` reads the value. */
export const ignored = z.unknown().optional()

/** The agent of a caller, in both spellings. */
export const ignoredAgent = { agentId: ignored, agent_id: ignored }

/** Trimmed. A blank value or a value that is not text counts as absent. */
export const text = z.unknown().meta({ type: 'string' }).transform(toText).optional()

/** Text without private spans and credentials. */
export const cleanText = text.transform((input): CleanText | undefined =>
  input === undefined ? undefined : orAbsent(toCleanText(input)),
)

/** Refuses private spans and credentials: redaction would give different identifiers the same value. */
export function identifier(name: string) {
  return text.superRefine((input, context) => {
    if (input !== undefined && holdsSecret(input)) addIssue(context, `${name} ${secretRule}`)
  })
}

export const secretRule = 'must not contain a credential or a private span'

/** Bounded because each item is a bind parameter. */
const maxItems = 500

/** A list or comma-separated text, without empty and duplicate items. */
export const list = z
  .unknown()
  .meta({ type: ['string', 'array'] })
  .transform((input, context) => {
    const listed = toList(input)
    if (listed && listed.length > maxItems) addIssue(context, `at most ${maxItems} may be listed`)
    return listed
  })
  .optional()

/** A text that is neither true nor false counts as absent; a list or an object is refused. */
export const flag = z
  .unknown()
  .meta({ type: 'boolean' })
  .transform((input, context) => {
    if (typeof input === 'object' && input !== null)
      context.issues.push({ code: 'invalid_type', expected: 'boolean', input })
    return toFlag(input)
  })
  .optional()

export const number = z.unknown().meta({ type: 'number' }).transform(toNumber).optional()

/** A number from 0 to 1; others are refused. */
export function share(name: string) {
  return z
    .unknown()
    .meta({ type: 'number', minimum: 0, maximum: 1 })
    .transform((input, context) => {
      const value = toNumber(input)
      if (value !== undefined && (value < 0 || value > 1))
        addIssue(context, `${name} must be from 0 to 1`)
      return value
    })
    .optional()
}

/** JSON Schema of a text that is not blank. */
const notBlank = { type: 'string', pattern: '\\S' } as const

/** Documented as required. The schema of the whole body refuses a blank or missing value. */
export const requiredText = z.preprocess(toRequired, z.string().meta(notBlank))

/** JSON Schema: at least one of these fields is a text that is not blank. */
export function anyText(...names: readonly string[]) {
  return {
    anyOf: names.map((name) => ({ required: [name], properties: { [name]: { ...notBlank } } })),
  }
}

export function required(name: string) {
  const text = z.string().superRefine((text, context) => {
    if (text === '') addIssue(context, `${name} is required`)
  })
  return z.preprocess(toRequired, text.meta(notBlank))
}

/** Also refuses a text that is empty after redaction. */
export function requiredCleanText(name: string) {
  const text = z.string().transform((input, context): CleanText => {
    const text = toCleanText(input)
    if (text.trim() === '') addIssue(context, `${name} is required`)
    return text
  })
  return z.preprocess(toRequired, text.meta(notBlank))
}

/** A field that is missing counts as blank, so that its own message is shown. */
function toRequired(input: unknown): string {
  return toText(input) ?? ''
}

interface Bounds<Default> {
  readonly min: number
  readonly max: number
  readonly default: Default
}

/** Clamps to the bounds. A value that is not a number counts as absent; a fraction is refused. */
export function integer<Default extends number | undefined>(name: string, bounds: Bounds<Default>) {
  const { min, max } = bounds
  return z
    .unknown()
    .optional()
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform((input, context): number | Default => {
      const value = toNumber(input)
      if (value === undefined) return bounds.default
      if (!Number.isInteger(value)) addIssue(context, `${name} must be an integer`)
      return Math.min(max, Math.max(min, Math.trunc(value)))
    })
}

/** A date in any format of `Date`, converted to ISO text in UTC. */
export function time(name: string) {
  return z
    .unknown()
    .meta({ type: 'string', format: 'date-time' })
    .transform((input, context) => {
      if (input === undefined || input === null || input === '') return undefined
      const date = readDate(input)
      if (!date) addIssue(context, `${name} must be a valid ISO timestamp`)
      return date?.toISOString()
    })
    .optional()
}

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name

type WireNames<Fields> = { [Name in keyof Fields as SnakeCase<Name & string>]: Fields[Name] }

/** The same fields with names in snake case. */
export function toWireNames<Fields extends object>(fields: Fields): WireNames<Fields> {
  const toWireName = (name: string) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const renamed = Object.entries(fields).map(([name, value]) => [toWireName(name), value])
  return Object.fromEntries(renamed) as WireNames<Fields>
}

/** Accepts the years 1 to 9999 only: ISO texts of other years do not sort by time. */
export function readDate(input: unknown): Date | undefined {
  if (typeof input !== 'string' && typeof input !== 'number') return undefined
  const date = new Date(input)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : undefined
}

function toText(input: unknown): string | undefined {
  return typeof input === 'string' && input.trim() !== '' ? input.trim() : undefined
}

function orAbsent(text: CleanText): CleanText | undefined {
  return text.trim() === '' ? undefined : text
}

function toList(input: unknown): string[] | undefined {
  if (input === undefined || input === null) return undefined
  const parts = [input].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : []))
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

const flagWords = new Map([
  ...['true', '1'].map((word) => [word, true] as const),
  ...['false', '0'].map((word) => [word, false] as const),
])

function toFlag(input: unknown): boolean | undefined {
  return typeof input === 'object' ? undefined : flagWords.get(String(input).toLowerCase())
}

function toNumber(input: unknown): number | undefined {
  const isWritten = typeof input === 'string' && input.trim() !== ''
  const value = isWritten ? Number(input) : input
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function addIssue(context: z.core.$RefinementCtx, message: string): void {
  context.issues.push({ code: 'custom', message, input: undefined })
}

const minIdPrefix = 6
const idPrefixPattern =
  /^(?:[\da-f]{6,8}|[\da-f]{8}(?:-[\da-f]{4}){0,2}-[\da-f]{0,4}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{0,12})$/
const idPrefixRule = `id_prefix must be the beginning of an id, of at least ${minIdPrefix} characters`

/** The first characters of a UUID in lower case. */
export const idPrefix = z.string().trim().toLowerCase().regex(idPrefixPattern, idPrefixRule)
