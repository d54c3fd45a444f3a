import { z } from 'zod'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { type Memory, splitTags } from './memory.ts'

/** Trimmed and not blank. */
export const nonBlank = (rule: string) => z.string(rule).trim().regex(/\S/, rule)

const reasonRule = 'reason is required'

export const reason = nonBlank(reasonRule)
  .transform(toCleanText)
  .refine((text) => text.trim() !== '', reasonRule)

const versionRule = 'if_version must be a positive integer'
const versionDigits = /^0*[1-9]\d{0,14}$/

/** A number or its digits. */
export const ifVersion = z
  .union(
    [z.int().min(1, versionRule), z.string().regex(versionDigits, versionRule).transform(Number)],
    versionRule,
  )
  .optional()

/** Written as a list or with commas; null clears. */
export const tags = z
  .union(
    [z.string(), z.array(z.string()), z.null()],
    'tags must be a string, string array, or null',
  )
  .transform((input) => splitTags([input ?? []].flat().join(',')))
  .optional()

/** As the contract writes them: with commas, null for none. */
export function toWireTags({ tags }: Pick<Memory, 'tags'>): string | null {
  return tags.length === 0 ? null : tags.join(',')
}

/** Half of a pair is no character: what cannot be stored is replaced before anything is counted. */
export function wellFormed<Fields extends object>(fields: Fields): Fields {
  const repaired = Object.entries(fields).map(([name, value]) => [name, repair(value)])
  return Object.fromEntries(repaired) as Fields
}

/** The first field that holds a NUL, which not every engine keeps in a text. */
export function findNul(fields: object): string | undefined {
  const [name] =
    Object.entries(fields).find(([, value]) =>
      [value].flat().some((part) => typeof part === 'string' && part.includes('\0')),
    ) ?? []
  return name
}

function repair(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repair)
  return typeof value === 'string' ? value.toWellFormed() : value
}
