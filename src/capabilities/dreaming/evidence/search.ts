import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { listEntries } from '../store/evidence.ts'
import { toRef } from './evidence.ts'
import { readSource } from './source.ts'

interface Search {
  readonly agentId: string
  readonly query: string
  readonly limit: number
}

const maxTotalLength = 16_000
const maxContentLength = 2_000
/** Sources that one search reads, the newest first. */
const maxSearched = 400

/** Sources that contain words of the query, those with more of them first. */
export async function searchEvidence(
  needs: DreamingNeeds,
  db: Db,
  { agentId, query, limit }: Search,
) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])]
  const found = []
  for (const entry of await listEntries(db, agentId, maxSearched)) {
    const source = await readSource(needs, db, { ...entry, agentId })
    const text = source?.text.toLowerCase() ?? ''
    const matched = words.filter((word) => text.includes(word))
    if (source && matched.length > 0) found.push({ source, matched, text })
  }
  const best = found.toSorted((one, other) => other.matched.length - one.matched.length)
  const items: object[] = []
  let left = maxTotalLength
  for (const { source, matched, text } of best.slice(0, limit)) {
    if (left <= 0) break
    const at = Math.max(0, text.indexOf(matched[0] ?? '') - maxContentLength / 2)
    const content = source.text.slice(at, at + Math.min(maxContentLength, left)).toWellFormed()
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
