import { z } from 'zod'

/** Named in the contract, read elsewhere: by whoever finds out for which agent is asked. */
export const anything = z.unknown().optional()

/** Trimmed; what is empty or no text counts as absent. */
export const text = z.unknown().transform(toText).optional()

/** A list, or one written with commas; without empties and repeats. */
export const list = z
  .unknown()
  .transform((written) => {
    const parts = [written]
      .flat()
      .flatMap((part) => (typeof part === 'string' ? part.split(',') : []))
    return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
  })
  .optional()

export const flag = z
  .unknown()
  .transform((written): boolean | undefined => {
    const word = String(written).toLowerCase()
    if (word === 'true' || word === '1') return true
    return word === 'false' || word === '0' ? false : undefined
  })
  .optional()

export const number = z.unknown().transform(toNumber).optional()

export function required(name: string) {
  return z.unknown().transform((written, context): string => {
    const given = toText(written)
    if (given === undefined) tell(context, `${name} is required`)
    return given ?? ''
  })
}

interface Bounds {
  readonly least: number
  readonly most: number
  readonly otherwise: number | undefined
}

/** Clamped; what is no number counts as absent, a fraction is refused. */
export function integer(name: string, { least, most, otherwise }: Bounds) {
  return z
    .unknown()
    .transform((written, context) => {
      const given = toNumber(written)
      if (given === undefined) return otherwise
      if (!Number.isInteger(given)) tell(context, `${name} must be an integer`)
      return Math.min(most, Math.max(least, Math.trunc(given)))
    })
    .optional()
}

/** Anything the platform reads as a date, as ISO text in UTC. */
export function time(name: string) {
  return z
    .unknown()
    .transform((written, context) => {
      if (written === undefined || written === null || written === '') return undefined
      const date = readDate(written)
      if (!date) tell(context, `${name} must be a valid ISO timestamp`)
      return date?.toISOString()
    })
    .optional()
}

export function readDate(written: unknown): Date | undefined {
  if (typeof written !== 'string' && typeof written !== 'number') return undefined
  const date = new Date(written)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function toText(written: unknown): string | undefined {
  return typeof written === 'string' && written.trim() !== '' ? written.trim() : undefined
}

function toNumber(written: unknown): number | undefined {
  const isWritten = typeof written === 'string' && written.trim() !== ''
  const given = isWritten ? Number(written) : written
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined
}

function tell(context: z.core.$RefinementCtx, message: string): void {
  context.issues.push({ code: 'custom', message, input: undefined })
}
