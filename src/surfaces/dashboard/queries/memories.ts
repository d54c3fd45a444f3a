export interface MemoryRow {
  readonly id: string
  readonly content: string
  readonly created_at: string
  readonly who: string
  readonly importance: number
  readonly tags: string | null
  readonly source_type?: string
  readonly pinned: 0 | 1 | boolean
  readonly type: string
  readonly project?: string | null
}

export interface MemoryPage {
  readonly memories: readonly MemoryRow[]
  readonly stats: { readonly total: number }
  readonly total?: number
  readonly error?: string
}

export interface Stage {
  readonly name: string
  readonly score: number
  readonly reason?: string
}

export interface RecallRow extends MemoryRow {
  readonly score: number
  readonly source: string
  readonly confidence?: number
  readonly outdated_by?: string
  readonly trust?: 'external'
  readonly explain?: { readonly stages: readonly Stage[] }
}

export interface RecallReply {
  readonly results: readonly RecallRow[]
  readonly method: string
  readonly meta: {
    readonly totalReturned: number
    readonly confidence?: string
    readonly timings?: { readonly totalMs: number }
  }
}

export interface Memory extends MemoryRow {
  readonly memory_kind: string
  readonly scope: string | null
  readonly visibility: string
  readonly session_id: string | null
  readonly source_id: string | null
  readonly source_path: string | null
  readonly access_count: number
  readonly is_deleted: 0 | 1
  readonly deleted_at: string | null
  readonly version: number
  readonly updated_at: string
  readonly superseded_by: string | null
  readonly superseded_at: string | null
  /** Null while the memory has no vector. */
  readonly embedding_model: string | null
}

export interface HistoryReply {
  readonly history: readonly {
    readonly id: string
    readonly event: string
    readonly changedBy: string
    readonly reason: string | null
    readonly createdAt: string
    readonly sessionId: string | null
  }[]
}

export interface LineageReply {
  readonly lineage: readonly {
    readonly id: string
    readonly content: string
    readonly createdAt: string
    readonly supersededBy: string | null
    readonly supersededAt: string | null
    readonly supersededReason: string | null
  }[]
}

export interface SimilarReply {
  readonly results: readonly {
    readonly id: string
    readonly content: string
    readonly score: number
  }[]
}

export interface TimelineReply {
  readonly buckets: readonly {
    readonly rangeKey: string
    readonly memories: number
    readonly pinned: number
    readonly averageImportance: number | null
    readonly types: readonly { readonly name: string; readonly count: number }[]
    readonly historyEvents: number
    readonly events: readonly { readonly name: string; readonly count: number }[]
  }[]
}

/** The type of a part of a document. Its author is the id of the document. */
export const documentPart = 'document_chunk'

/** The tags of a memory as a list, each once. */
export function toTags(tags: string | null | undefined): string[] {
  const names = (tags ?? '').split(',').map((tag) => tag.trim())
  return [...new Set(names)].filter((tag) => tag !== '')
}

const stopWords = new Set(
  'and are but can did does for from had has have her his how its our she that the their they this was were what when where which who why will with you your'.split(
    ' ',
  ),
)

/** The words of a question that are worth highlighting. */
export function toWords(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}-]{2,}/gu) ?? []
  return [...new Set(words)].filter((word) => !stopWords.has(word.toLowerCase())).slice(0, 16)
}

/** Maps the items in order, at most `limit` of them at the same time. The first failure ends it. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
