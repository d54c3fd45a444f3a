import type { Caller } from '../../kernel/auth/caller.ts'
import type { Exported, Page } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { hasVectorOf, readVectors } from './store/vectors.ts'

export interface ExportRequest extends Page {
  readonly vectors: boolean
}

export interface ExportPage {
  readonly memories: readonly (Exported & { readonly vector?: Float32Array | undefined })[]
  readonly total: number
}

const readAtOnce = 500

/** What the caller may read and has a vector, newest first, with the vector where it is asked for. */
export async function exportEmbeddings(
  runtime: Runtime,
  caller: Caller,
  { limit, offset, vectors }: ExportRequest,
): Promise<ExportPage> {
  const { needs, makers } = runtime
  const { identity = '' } = makers.models().active ?? {}
  const { total } = await countEmbedded(runtime, caller)
  const memories: ExportPage['memories'][number][] = []
  for (let at = 0; at < limit; at += readAtOnce) {
    const size = Math.min(readAtOnce, limit - at)
    const page = { limit: size, offset: offset + at, hasVector: hasVectorOf(identity) }
    const read = await needs.memories().listReadable(caller, page)
    const ids = read.map(({ id }) => id)
    const found = vectors ? await readVectors(needs.db, identity, ids) : undefined
    memories.push(...read.map((memory) => ({ ...memory, vector: found?.get(memory.id) })))
    if (read.length < size) break
  }
  return { memories, total }
}

/** The newest of all that `exportEmbeddings` gives page by page. */
export function listAllEmbedded(runtime: Runtime, caller: Caller, limit: number) {
  return exportEmbeddings(runtime, caller, { limit, offset: 0, vectors: false })
}

async function countEmbedded({ needs, makers }: Runtime, caller: Caller) {
  const { identity = '' } = makers.models().active ?? {}
  const { embedded } = await needs.memories().countReadable(caller, hasVectorOf(identity))
  return { total: embedded }
}
