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

/** Accepts a number or a string of digits. */
export const ifVersion = z
  .union(
    [z.int().min(1, versionRule), z.string().regex(versionDigits, versionRule).transform(Number)],
    versionRule,
  )
  .optional()

/** A list or a comma-separated string. Null clears. */
export const tags = z
  .union(
    [z.string(), z.array(z.string()), z.null()],
    'tags must be a string, string array, or null',
  )
  .transform((input) => splitTags([input ?? []].flat().join(',')))
  .optional()

/** Contract format: comma-separated, or null. */
export function toWireTags({ tags }: Pick<Memory, 'tags'>): string | null {
  return tags.length === 0 ? null : tags.join(',')
}

/** Replaces lone surrogates, which cannot be stored, before any length check. */
export function wellFormed<Fields extends object>(fields: Fields): Fields {
  const repaired = Object.entries(fields).map(([name, value]) => [name, repair(value)])
  return Object.fromEntries(repaired) as Fields
}

/** Returns the first field with a NUL, which PostgreSQL rejects in text. */
export function findNul(fields: object): string | undefined {
  const [name] =
    Object.entries(fields).find(([, value]) =>
      [value].flat().some((part) => typeof part === 'string' && part.includes('\0')),
    ) ?? []
  return name
}

/** The issue names the field, as the issues of the schemas do. */
export function addNulIssue(context: z.core.$RefinementCtx, name: string): void {
  context.addIssue({ code: 'custom', path: [name], message: `${name} must not contain NUL` })
}

function repair(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repair)
  return typeof value === 'string' ? value.toWellFormed() : value
}
