import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { findEntries, readState } from '../store/evidence.ts'
import { type EvidenceEntry, toRef } from './evidence.ts'
import { overlapLength } from './fragments.ts'

/** What has changed since the last pass. */
export interface Scan {
  /** Entries that are new or have other words than before. */
  readonly entries: readonly EvidenceEntry[]
  readonly memoryCursor: number
  readonly transcriptCursor: string
}

type Needs = Pick<DreamingNeeds, 'memory' | 'transcripts'>
type Changed = Pick<
  EvidenceEntry,
  'sourceKind' | 'sourceId' | 'contentHash' | 'sourceTime' | 'chars' | 'priority'
>

const pageLength = 1_000
/** Of one pass. The next pass continues after the cursor. */
const maxScanned = 20_000

export async function scanChanges(needs: Needs, db: Db, agentId: string): Promise<Scan> {
  const state = await readState(db, agentId)
  const memories = await scanMemories(needs, db, agentId, state.memoryCursor)
  const transcripts = await scanTranscripts(needs, db, agentId, state.transcriptCursor)
  const changed = [...memories.changed, ...transcripts.changed]
  const known = await findEntries(db, agentId, changed)
  const entries = changed.flatMap((one) => toEntry(one, known.get(toRef(one))))
  return { entries, memoryCursor: memories.cursor, transcriptCursor: transcripts.cursor }
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

async function scanTranscripts({ transcripts }: Needs, db: Db, agentId: string, after: string) {
  const changed: Changed[] = []
  let cursor = after
  while (changed.length < maxScanned) {
    const page = { after: parseCursor(cursor), limit: pageLength }
    const rows = await transcripts.completed.list(db, agentId, page)
    for (const { sessionKey, contentHash, capturedAt, chars } of rows)
      changed.push({
        sourceKind: 'transcript',
        sourceId: sessionKey,
        contentHash,
        sourceTime: capturedAt,
        chars,
        priority: 0,
      })
    const last = rows.at(-1)
    cursor = last ? `${last.updatedAt} ${last.sessionKey}` : cursor
    if (rows.length < pageLength) break
  }
  return { changed, cursor }
}

/** An ISO time has no spaces; a session key may have some. */
export function parseCursor(cursor: string) {
  const space = cursor.indexOf(' ')
  return { updatedAt: cursor.slice(0, Math.max(space, 0)), sessionKey: cursor.slice(space + 1) }
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
