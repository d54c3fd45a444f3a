import { readDate } from '../../kernel/http/wire-values.ts'
import {
  type RequestedTime,
  type TemporalFacet,
  type TemporalMode,
  temporalFacets,
  temporalModes,
} from './temporal-intent.ts'

interface Checked {
  readonly facets?: readonly TemporalFacet[] | null
  readonly mode?: TemporalMode | null
}

/** The `time` object as it comes, or undefined with what is wrong with it told to `issue`. */
export function parseTime(
  time: unknown,
  issue: (message: string) => void,
): RequestedTime | undefined {
  if (time === undefined || time === null) return undefined
  const problem = problemOf(time)
  if (problem) {
    issue(problem)
    return undefined
  }
  const { start, end, facets, mode } = time as Record<string, unknown> & Checked
  return {
    start: readTime(start) ?? new Date(0),
    end: isAbsent(end) ? undefined : readTime(end),
    // An empty list narrows nothing, as elsewhere.
    facets: isAbsent(facets) || facets.length === 0 ? undefined : [...new Set(facets)],
    mode: isAbsent(mode) ? undefined : mode,
  }
}

function problemOf(time: unknown): string | undefined {
  if (typeof time !== 'object' || time === null || Array.isArray(time))
    return 'time must be an object'
  const { start, end, facets, mode } = time as Record<string, unknown>
  return problemOfRange(start, end) ?? problemOfFacets(facets) ?? problemOfMode(mode)
}

function problemOfRange(start: unknown, end: unknown): string | undefined {
  if (isAbsent(start) || start === '') return 'time.start is required'
  const from = readTime(start)
  if (!from) return 'time.start must be a valid ISO timestamp'
  if (isAbsent(end)) return undefined
  const to = readTime(end)
  if (!to) return 'time.end must be a valid ISO timestamp'
  return to > from ? undefined : 'time.end must be after time.start'
}

/** A number may be of seconds or of milliseconds: it is refused. */
function readTime(written: unknown): Date | undefined {
  return typeof written === 'string' ? readDate(written) : undefined
}

function problemOfFacets(facets: unknown): string | undefined {
  if (isAbsent(facets)) return undefined
  const known: readonly unknown[] = temporalFacets
  const isKnown = Array.isArray(facets) && facets.every((facet) => known.includes(facet))
  return isKnown ? undefined : 'time.facets must be an array of known facets'
}

function problemOfMode(mode: unknown): string | undefined {
  const known: readonly unknown[] = temporalModes
  return isAbsent(mode) || known.includes(mode)
    ? undefined
    : 'time.mode must be `timeline` or `filter`'
}

function isAbsent(field: unknown): field is undefined | null {
  return field === undefined || field === null
}
