import { useLocation, useSearchParams } from 'wouter'
import { host } from '../../host.ts'
import type { Input } from '../../queries/api.ts'

const fields = [
  'q',
  'type',
  'tag',
  'who',
  'project',
  'source',
  'time',
  'state',
  'pinned',
  'view',
] as const
export type FilterName = (typeof fields)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

const dayMs = 86_400_000
const days: Readonly<Record<string, number>> = { today: 1, week: 7, month: 30, year: 365 }

/** The filters of the address, and a function that changes them. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const [location] = useLocation()
  const filters: Filters = Object.fromEntries(
    fields.flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const change = (name: FilterName, value: string | undefined) =>
    setSearch(
      (previous) => {
        const next = new URLSearchParams(previous)
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
        next.delete('new')
        return next
      },
      { replace: true },
    )
  const isNew = search.get('new') !== null
  return { filters, change, isNew, location, suffix: search.size > 0 ? `?${search}` : '' }
}

/** The start of a period, cut to the hour so that the same question is read once. */
function toSince(time: string | undefined): string | undefined {
  const wanted = days[time ?? '']
  if (wanted === undefined) return undefined
  const hour = 3_600_000
  return new Date(Math.floor((host.now() - wanted * dayMs) / hour) * hour).toISOString()
}

export function toListInput(filters: Filters, limit: number): Input {
  const { tag: tags, source: source_type, time, q: _, view: __, ...same } = filters
  return { query: { ...same, tags, source_type, since: toSince(time), limit } }
}

export function toRecallInput(filters: Filters): Input {
  const { q = '', type, tag, who, project, time, pinned } = filters
  const since = toSince(time)
  return {
    body: {
      query: q,
      limit: 50,
      explain: true,
      ...(type && { type }),
      ...(tag && { tags: tag }),
      ...(who && { who }),
      ...(project && { project }),
      ...(pinned && { pinned: true }),
      ...(since && { since }),
    },
  }
}
