import type { FoundMemory } from '../memory/index.ts'
import type { Candidate } from './result.ts'

export interface Source {
  readonly content: string
  readonly sourceType: string
  readonly sourcePath: string | null
}

/**
 * The full sources of the rows, by source id or memory id. Several memories of one source
 * are joined in order of creation.
 */
export function toSources(shown: readonly Candidate[]): Readonly<Record<string, Source>> {
  const memories = new Map(shown.flatMap(({ memory }) => (memory ? [[memory.id, memory]] : [])))
  const sources = new Map<string, Source>()
  for (const memory of [...memories.values()].toSorted(byAge)) {
    const { id, content, sourceId, sourceType, sourcePath } = memory
    const existing = sources.get(sourceId ?? id)
    sources.set(
      sourceId ?? id,
      existing
        ? { ...existing, content: `${existing.content}\n\n${content}` }
        : { content, sourceType, sourcePath },
    )
  }
  return Object.fromEntries(sources)
}

function byAge(a: FoundMemory, b: FoundMemory): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)
}
