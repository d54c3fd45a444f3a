import type { Caller } from '../../kernel/auth/caller.ts'
import type { ExportedMemory, Page } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { hasVectorOf, readVectors } from './store/vectors.ts'

export interface ExportRequest extends Page {
  readonly vectors: boolean
}

export type ExportRow = ExportedMemory & { readonly vector?: Float32Array | undefined }

/** Rows in one read; bounded to keep the event loop responsive. */
const readBatchSizes = { plain: 500, vectors: 50 } as const

/** Yields pages of readable memories that have a vector, newest first. */
export async function* readExport(
  { needs, registry }: Runtime,
  caller: Caller,
  { limit, offset, scope, vectors }: ExportRequest,
): AsyncGenerator<readonly ExportRow[]> {
  const { identity = '' } = registry.models().active ?? {}
  const batchSize = vectors ? readBatchSizes.vectors : readBatchSizes.plain
  for (let position = 0; position < limit; position += batchSize) {
    const size = Math.min(batchSize, limit - position)
    const page = { limit: size, offset: offset + position, scope, hasVector: hasVectorOf(identity) }
    const memories = await needs.memories().listReadable(caller, page)
    const ids = memories.map(({ id }) => id)
    const vectorsById = vectors ? await readVectors(needs.db, identity, ids) : undefined
    yield memories.map((memory) => ({ ...memory, vector: vectorsById?.get(memory.id) }))
    if (memories.length < size) return
  }
}

export async function listEmbedded(
  runtime: Runtime,
  caller: Caller,
  page: Page,
): Promise<{ readonly memories: readonly ExportRow[]; readonly total: number }> {
  const total = await countEmbedded(runtime, caller, page)
  const memories: ExportRow[] = []
  for await (const rows of readExport(runtime, caller, { ...page, vectors: false }))
    memories.push(...rows)
  return { memories, total }
}

export async function countEmbedded(
  { needs, registry }: Runtime,
  caller: Caller,
  { scope }: Pick<Page, 'scope'>,
): Promise<number> {
  const { identity = '' } = registry.models().active ?? {}
  const filter = { scope, hasVector: hasVectorOf(identity) }
  return (await needs.memories().countReadable(caller, filter)).embedded
}
