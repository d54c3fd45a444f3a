import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { findEntries, readState } from '../store/evidence.ts'
import { type EvidenceEntry, toRef } from './evidence.ts'
import { type FeedCursors, type FeedNeeds, listFeeds, parseCursor, toCursor } from './feeds.ts'
import { overlapLength } from './fragments.ts'

/** What has changed since the last pass. */
export interface Scan {
  /** Entries that are new or have other words than before. */
  readonly entries: readonly EvidenceEntry[]
  readonly memoryCursor: number
  readonly cursors: FeedCursors
}

type Needs = FeedNeeds & Pick<DreamingNeeds, 'memory'>
type Changed = Pick<
  EvidenceEntry,
  'sourceKind' | 'sourceId' | 'contentHash' | 'sourceTime' | 'chars' | 'priority'
>

/** Characters of a hash that tell whether a text is the one that was read. */
const hashLength = 8
const pageLength = 1_000
/** Of one pass. The next pass continues after the cursor. */
const maxScanned = 1_000

export async function scanChanges(needs: Needs, db: Db, agentId: string): Promise<Scan> {
  const state = await readState(db, agentId)
  const memories = await scanMemories(needs, db, agentId, state.memoryCursor)
  const { transcriptCursor, artifactCursor, summaryCursor } = state
  const cursors = { transcriptCursor, artifactCursor, summaryCursor }
  const changed = [...memories.changed]
  for (const feed of listFeeds(needs)) {
    const scanned = await scanFeed(feed, db, { agentId, from: cursors[feed.cursor] })
    changed.push(...scanned.changed)
    cursors[feed.cursor] = scanned.cursor
  }
  const known = await findEntries(db, agentId, changed)
  const entries = changed.flatMap((one) =>
    toEntry({ ...one, contentHash: one.contentHash.slice(0, hashLength) }, known.get(toRef(one))),
  )
  return { entries, memoryCursor: memories.cursor, cursors }
}

async function scanMemories({ memory }: Needs, db: Db, agentId: string, after: number) {
  const changed: Changed[] = []
  let cursor = after
  while (changed.length < maxScanned) {
    const rows = await memory.changes.list(db, agentId, { after: cursor, limit: pageLength })
    for (const { id, contentHash, createdAt, chars, pinned } of rows)
      changed.push({
        sourceKind: 'memory',
        sourceId: id,
        contentHash,
        sourceTime: createdAt,
        chars,
        priority: pinned === 1 ? 1 : 0,
      })
    cursor = rows.at(-1)?.revision ?? cursor
    if (rows.length < pageLength) break
  }
  return { changed, cursor }
}

async function scanFeed(
  { kind, list }: ReturnType<typeof listFeeds>[number],
  db: Db,
  { agentId, from }: { readonly agentId: string; readonly from: string },
) {
  const changed: Changed[] = []
  let cursor = from
  while (changed.length < maxScanned) {
    const rows = await list(db, agentId, { after: parseCursor(cursor), limit: pageLength })
    for (const { id: sourceId, contentHash, sourceTime, chars } of rows)
      changed.push({ sourceKind: kind, sourceId, contentHash, sourceTime, chars, priority: 0 })
    const last = rows.at(-1)
    cursor = last ? toCursor(last) : cursor
    if (rows.length < pageLength) break
  }
  return { changed, cursor }
}

/** None for a source whose words are known. One that grew is read on from its earlier end. */
function toEntry(changed: Changed, known: EvidenceEntry | undefined): EvidenceEntry[] {
  if (known?.contentHash === changed.contentHash) return []
  const isGrown = changed.sourceKind === 'transcript' && changed.chars > (known?.chars ?? 0)
  const resume = (chars = 0) => (isGrown ? Math.max(0, chars - overlapLength) : 0)
  return [
    {
      ...changed,
      priority: Math.max(changed.priority, known?.priority ?? 0),
      rulesChars: resume(known?.rulesChars),
      modelChars: resume(known?.modelChars),
      disposition: 'new',
      passId: null,
    },
  ]
}
