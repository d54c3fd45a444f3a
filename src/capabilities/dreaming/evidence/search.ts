import type { Db } from '../../../kernel/db/database.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import type { DreamingNeeds } from '../needs.ts'
import { listEntries } from '../store/evidence.ts'
import { type SourceRef, toRef } from './evidence.ts'
import { readSources } from './source.ts'
import { listExcluded } from './window.ts'

interface Search {
  readonly agentId: string
  readonly query: string
  readonly limit: number
}

const maxTotalLength = 16_000
const maxContentLength = 2_000
/** Sources of passes that one search reads, the newest first. */
const maxSearched = 400
/** Memories that one search reads, the best first. */
const maxMemories = 100

/** Sources that contain words of the query, those with more of them first. */
export async function searchEvidence(
  needs: DreamingNeeds,
  db: Db,
  { agentId, query, limit }: Search,
) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])]
  const refs = await listCandidates(needs, db, { agentId, words })
  const sources = await readSources(needs, db, { agentId, refs })
  const found = [...sources.values()].flatMap((source) => {
    const text = source.text.toLowerCase()
    const matched = words.filter((word) => text.includes(word))
    return matched.length > 0 ? [{ source, matched, text }] : []
  })
  const best = found.toSorted((one, other) => other.matched.length - one.matched.length)
  const items: object[] = []
  let left = maxTotalLength
  for (const { source, matched, text } of best.slice(0, limit)) {
    if (left <= 0) break
    const at = Math.max(0, text.indexOf(matched[0] ?? '') - maxContentLength / 2)
    const content = sliceText(source.text, at, at + Math.min(maxContentLength, left))
    left -= content.length
    items.push({
      sourceRef: toRef(source),
      kind: source.sourceKind,
      id: source.sourceId,
      content,
      contentOffset: at,
      contentLength: content.length,
      contentTruncated: content.length < source.text.length,
      contentHasPrevious: at > 0,
      contentHasNext: at + content.length < source.text.length,
      completed: true,
      sourceKind: source.sourceKind,
      sourceId: source.sourceId,
      sourcePath: null,
      sourceEntryId: null,
      project: source.project,
      harness: null,
      capturedAt: source.sourceTime,
    })
  }
  return { items }
}

interface Words {
  readonly agentId: string
  readonly words: readonly string[]
}

/** Memories of the word index, read by a pass or not, and the newest sources of passes. */
async function listCandidates(
  { memory }: DreamingNeeds,
  db: Db,
  { agentId, words }: Words,
): Promise<readonly SourceRef[]> {
  const readScope = { agentId, policy: 'isolated', groupAgents: [], project: null } as const
  const request = { readScope, filters: { scope: null }, limit: maxMemories }
  const hits = await memory.search.searchWords(words, request)
  const memories = hits.map(
    ({ memory: { id } }) => ({ sourceKind: 'memory', sourceId: id }) as const,
  )
  const excluded = await listExcluded(db, agentId)
  const refs = [...memories, ...(await listEntries(db, agentId, maxSearched))]
  return refs.filter((ref) => !excluded.has(toRef(ref)))
}
