import type { Caller } from '../../kernel/auth/caller.ts'
import type { Exported, Page } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { hasVectorOf, readVectors } from './store/vectors.ts'

export interface ExportRequest extends Page {
  readonly vectors: boolean
}

export type ExportRow = Exported & { readonly vector?: Float32Array | undefined }

/** Rows that are read, and then written, without the event loop noticing. */
const readAtOnce = { plain: 500, vectors: 50 } as const

/** What the caller may read and has a vector, newest first, with the vector where it is asked for. */
export async function* readExport(
  { needs, makers }: Runtime,
  caller: Caller,
  { limit, offset, scope, vectors }: ExportRequest,
): AsyncGenerator<readonly ExportRow[]> {
  const { identity = '' } = makers.models().active ?? {}
  const atOnce = vectors ? readAtOnce.vectors : readAtOnce.plain
  for (let at = 0; at < limit; at += atOnce) {
    const size = Math.min(atOnce, limit - at)
    const page = { limit: size, offset: offset + at, scope, hasVector: hasVectorOf(identity) }
    const read = await needs.memories().listReadable(caller, page)
    const ids = read.map(({ id }) => id)
    const found = vectors ? await readVectors(needs.db, identity, ids) : undefined
    yield read.map((memory) => ({ ...memory, vector: found?.get(memory.id) }))
    if (read.length < size) return
  }
}

/** The newest of them, and how many there are. */
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
  { needs, makers }: Runtime,
  caller: Caller,
  { scope }: Pick<Page, 'scope'>,
): Promise<number> {
  const { identity = '' } = makers.models().active ?? {}
  const of = { scope, hasVector: hasVectorOf(identity) }
  return (await needs.memories().countReadable(caller, of)).embedded
}
