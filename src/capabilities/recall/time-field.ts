import { readDate } from '../../kernel/http/wire-values.ts'
import {
  type RequestedTime,
  type TemporalFacet,
  type TemporalMode,
  temporalFacets,
  temporalModes,
} from './temporal-intent.ts'

interface CheckedTime {
  readonly facets?: readonly TemporalFacet[] | null
  readonly mode?: TemporalMode | null
}

/** Parses the `time` object; a problem is added by `addIssue`. */
export function parseTime(
  time: unknown,
  addIssue: (message: string) => void,
): RequestedTime | undefined {
  if (time === undefined || time === null) return undefined
  const problem = findProblem(time)
  if (problem) {
    addIssue(problem)
    return undefined
  }
  const { start, end, facets, mode } = time as Record<string, unknown> & CheckedTime
  return {
    start: readTime(start) ?? new Date(0),
    end: isAbsent(end) ? undefined : readTime(end),
    // An empty list is no filter.
    facets: isAbsent(facets) || facets.length === 0 ? undefined : [...new Set(facets)],
    mode: isAbsent(mode) ? undefined : mode,
  }
}

function findProblem(time: unknown): string | undefined {
  if (typeof time !== 'object' || time === null || Array.isArray(time))
    return 'time must be an object'
  const { start, end, facets, mode } = time as Record<string, unknown>
  return findRangeProblem(start, end) ?? findFacetsProblem(facets) ?? findModeProblem(mode)
}

function findRangeProblem(start: unknown, end: unknown): string | undefined {
  if (isAbsent(start) || start === '') return 'time.start is required'
  const from = readTime(start)
  if (!from) return 'time.start must be a valid ISO timestamp'
  if (isAbsent(end)) return undefined
  const to = readTime(end)
  if (!to) return 'time.end must be a valid ISO timestamp'
  return to > from ? undefined : 'time.end must be after time.start'
}

/** Numbers are invalid: their unit (seconds or milliseconds) is ambiguous. */
function readTime(value: unknown): Date | undefined {
  return typeof value === 'string' ? readDate(value) : undefined
}

function findFacetsProblem(facets: unknown): string | undefined {
  if (isAbsent(facets)) return undefined
  const known: readonly unknown[] = temporalFacets
  const isKnown = Array.isArray(facets) && facets.every((facet) => known.includes(facet))
  return isKnown ? undefined : 'time.facets must be an array of known facets'
}

function findModeProblem(mode: unknown): string | undefined {
  const known: readonly unknown[] = temporalModes
  return isAbsent(mode) || known.includes(mode)
    ? undefined
    : 'time.mode must be `timeline` or `filter`'
}

function isAbsent(field: unknown): field is undefined | null {
  return field === undefined || field === null
}
