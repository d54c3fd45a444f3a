import type { Route } from '../../kernel/http/route.ts'

/** What a person does with memories, by the name of the operation. */
const operations = {
  remember: ['memory.remember', 'memory.write-note', 'hooks.remember'],
  recall: ['recall.recall', 'recall.search', 'recall.similar', 'recall.text', 'hooks.recall'],
  mutate: [
    'memory.update',
    'memory.update-many',
    'memory.forget',
    'memory.forget-many',
    'memory.recover',
    'memory.supersede',
    'memory.tombstone',
  ],
} as const

export type Kind = keyof typeof operations

const kinds = new Map<string, Kind>(
  Object.entries(operations).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as Kind] as const),
  ),
)

/** Undefined for an operation about something else. */
export function kindOf(route: Route | undefined): Kind | undefined {
  return route && kinds.get(route.name)
}
