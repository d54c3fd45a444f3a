import type { FoundMemory } from '../memory/index.ts'
import type { Candidate } from './result.ts'

export interface Source {
  readonly content: string
  readonly sourceType: string
  readonly sourcePath: string | null
}

/**
 * What the rows came from, whole, by the name of the source or of the memory itself. What several
 * memories hold of one source is one text, in the order in which they were kept.
 */
export function toSources(shown: readonly Candidate[]): Readonly<Record<string, Source>> {
  const memories = new Map(shown.flatMap(({ memory }) => (memory ? [[memory.id, memory]] : [])))
  const sources = new Map<string, Source>()
  for (const memory of [...memories.values()].toSorted(byAge)) {
    const { id, content, sourceId, sourceType, sourcePath } = memory
    const known = sources.get(sourceId ?? id)
    sources.set(
      sourceId ?? id,
      known
        ? { ...known, content: `${known.content}\n\n${content}` }
        : { content, sourceType, sourcePath },
    )
  }
  return Object.fromEntries(sources)
}

function byAge(one: FoundMemory, other: FoundMemory): number {
  return one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id)
}
