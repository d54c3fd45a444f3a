import type { EvidenceChanges } from '../../ontology/index.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { StateRow } from '../store/rows.ts'
import type { SourceKind } from './evidence.ts'

export type FeedNeeds = Pick<DreamingNeeds, 'ontology' | 'transcripts'>
type FeedCursor = 'transcriptCursor' | 'artifactCursor' | 'summaryCursor'
export type FeedCursors = Pick<StateRow, FeedCursor>

/** Sources other than memories that have changed since a cursor. */
interface Feed extends EvidenceChanges {
  readonly kind: SourceKind
  readonly cursor: FeedCursor
}

export function listFeeds({ ontology, transcripts }: FeedNeeds): readonly Feed[] {
  const { completed, standaloneSummaries } = transcripts
  const artifacts = ontology.listEvidenceChanges('artifact')
  return [
    { kind: 'transcript', cursor: 'transcriptCursor', ...completed },
    { kind: 'summary', cursor: 'summaryCursor', ...standaloneSummaries },
    ...artifacts.map(
      (changes): Feed => ({
        kind: 'artifact',
        cursor: 'artifactCursor',
        ...changes,
      }),
    ),
  ]
}

/** An ISO time has no spaces; an id may have some. */
export function parseCursor(cursor: string) {
  const space = cursor.indexOf(' ')
  return { updatedAt: cursor.slice(0, Math.max(space, 0)), id: cursor.slice(space + 1) }
}

export function toCursor({ updatedAt, id }: ReturnType<typeof parseCursor>): string {
  return `${updatedAt} ${id}`
}
