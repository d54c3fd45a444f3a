import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { CollectionRow, SearchCollection } from '../recall/index.ts'
import type { SourceDeletion } from './deletion/delete-source.ts'
import type { SourcesOptions } from './needs.ts'
import type { Registry } from './registry/registry.ts'
import { ownerOf, toKindToken } from './source.ts'
import { listChunksById } from './store/chunks.ts'

/** Records that rows were saved, because the health of the engine lags behind. */
export function createChunkEngine(engine: SearchCollection['engine']) {
  const state = { isChanged: false }
  return {
    ...engine,
    changed: () => {
      state.isChanged = true
      engine.changed()
    },
    isEmpty: () => !state.isChanged && engine.health().rows === 0,
  }
}

interface CollectionNeeds extends Pick<SourcesOptions, 'db'> {
  readonly engine: ReturnType<typeof createChunkEngine>
  readonly registry: Registry
  readonly deletion: Pick<SourceDeletion, 'isDeleted'>
}

/** The chunks of sources, as recall searches them. A chunk is readable by its agent alone. */
export function createCollection(needs: CollectionNeeds): SearchCollection {
  return {
    name: 'source_chunks',
    engine: needs.engine,
    isEmpty: needs.engine.isEmpty,
    listRows: (readScope, ids) => listRows(needs, readScope, ids),
  }
}

async function listRows(
  { db, registry, deletion }: CollectionNeeds,
  { agentId, project }: ReadScope,
  ids: readonly string[],
): Promise<CollectionRow[]> {
  if (project !== null) return []
  const sources = new Map((await registry.list()).map((source) => [source.id, source]))
  const rows = await Promise.all(
    (await listChunksById(db, ids)).map(async (chunk) => {
      const source = sources.get(chunk.sourceId)
      if (!source || chunk.agentId !== agentId || ownerOf(source) !== agentId) return []
      if (source.generation !== chunk.generation || (await deletion.isDeleted(source))) return []
      return [
        {
          id: chunk.id,
          shownId: chunk.chunkId,
          agentId,
          source: `source_${toKindToken(source.kind)}`,
          sourceId: chunk.sourceId,
          sourcePath: chunk.sourcePath,
          sourceName: source.name,
          heading: chunk.heading,
          content: chunk.text,
          createdAt: chunk.createdAt,
        },
      ]
    }),
  )
  return rows.flat()
}
