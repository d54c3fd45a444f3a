import { z } from 'zod'
import { isMapping } from '../../../kernel/files/read-text.ts'
import { foldNames } from './entries.ts'
import type { Issues } from './issues.ts'

const maxEntries = 256

interface MapShape<Shape extends z.ZodRawShape> {
  readonly field: string
  readonly shape: Shape
  readonly aliases?: Readonly<Record<string, string>>
  /** Default: the charset of a request without `/`. */
  readonly ids?: RegExp
  readonly maxEntries?: number
}

type Entries<Shape extends z.ZodRawShape> = Map<string, z.output<z.ZodObject<Shape>>>

/** Parses each entry by itself; an invalid one becomes an issue. */
export function parseMap<Shape extends z.ZodRawShape>(
  issues: Issues,
  value: unknown,
  { shape, ...options }: MapShape<Shape>,
): Entries<Shape> {
  const { field, aliases } = options
  const names = new Set(Object.keys(shape))
  const fold = foldNames(aliases)
  const parsed: Entries<Shape> = new Map()
  for (const [id, raw] of listEntries(issues, value, options)) {
    const folded = fold(raw)
    const { data, error } = z.object(shape).safeParse(folded)
    if (data) parsed.set(id, data)
    for (const { path, message } of error?.issues ?? [])
      issues.warn([field, id, ...path].join('.'), id, `${message}. The entry is ignored.`)
    for (const name of Object.keys(Object(folded)).filter((name) => !names.has(name)))
      issues.warn(`${field}.${id}`, name, 'This setting is unknown.')
  }
  return parsed
}

/** The entries of a mapping with valid ids. */
function listEntries(
  issues: Issues,
  value: unknown,
  { field, ids = /^[\w.:-]{1,80}$/, maxEntries: max = maxEntries }: Omit<MapShape<never>, 'shape'>,
): [id: string, entry: unknown][] {
  if (value === undefined || value === null) return []
  if (!isMapping(value)) {
    issues.warn(field, '', 'This is no mapping of ids to entries.')
    return []
  }
  const valid = Object.entries(value).filter(([id]) => {
    if (ids.test(id)) return true
    issues.warn(field, '', 'An id must be letters, digits, . _ : or -. The entry is ignored.')
    return false
  })
  for (const [id] of valid.slice(max)) issues.warn(field, id, `Only ${max} entries are read.`)
  return valid.slice(0, max)
}
