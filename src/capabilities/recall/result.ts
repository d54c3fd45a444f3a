import type { FoundMemory } from '../memory/index.ts'
import type { SessionSummary, Spoken } from './needs.ts'
import type { RankedBy } from './scored.ts'

/** Of a row of a timeline, with the mark of what is left out. */
const timelineCharacters = 900
const spokenCharacters = 500
const truncatedMark = ' [truncated]'

/** A row of an answer, named as it is on the wire. */
export interface ResultRow {
  readonly id: string
  readonly content: string
  readonly content_length: number
  readonly truncated: boolean
  readonly score: number
  readonly source: string
  readonly source_id?: string
  readonly session_id?: string
  readonly source_path?: string
  readonly type: string
  readonly who: string
  readonly tags: string | null
  readonly pinned: boolean
  readonly importance: number
  readonly project: string | null
  readonly created_at: string
  readonly visibility?: string
  readonly scope?: string | null
  readonly already_recalled?: true
  readonly supplementary?: true
  readonly temporal_facet?: string
  readonly temporal_start_at?: string
  readonly temporal_end_at?: string | null
  readonly subject_type?: string
  readonly subject_id?: string
  /** What each stage of the ranking made of it, when that was asked for. */
  readonly explain?: { readonly stages: readonly RankedBy[] }
}

/** What may be shown: the row, what the ledger knows it as, and the memory behind it if there is one. */
export interface Candidate {
  readonly row: ResultRow
  readonly memory: FoundMemory | undefined
}

interface Shown extends Pick<ResultRow, 'score' | 'source'> {
  /** Of its words. */
  readonly characters: number
}

export function toRow(memory: FoundMemory, { score, source, characters }: Shown): ResultRow {
  const { id, type, who, pinned, importance, project, visibility, scope } = memory
  const { sourceId, sessionId, sourcePath } = memory
  return {
    ...{ id, ...cut(memory.content, characters), score: round(score), source },
    ...(sourceId !== null && { source_id: sourceId }),
    ...(sessionId !== null && { session_id: sessionId }),
    ...(sourcePath !== null && { source_path: sourcePath }),
    ...{ type, who, pinned, importance, project, visibility, scope },
    tags: memory.tags.length === 0 ? null : memory.tags.join(','),
    created_at: memory.createdAt,
  }
}

export interface Happening {
  readonly subjectType: string
  readonly subjectId: string
  readonly facet: string
  readonly startAt: string
  readonly endAt: string | null
  readonly rank: number
  readonly memory: FoundMemory | undefined
  /** Of a session: what it was about. */
  readonly about?: SessionSummary
}

export function toTemporalRow(happening: Happening, explain: boolean): ResultRow {
  const { subjectType, subjectId, facet, startAt, endAt, rank, memory } = happening
  const source = `temporal_${facet}`
  const shown = { score: rank, source, characters: timelineCharacters }
  const reason = `${facet} ${endAt === null ? `at ${startAt}` : `from ${startAt} to ${endAt}`}`
  return {
    ...(memory
      ? { ...toRow(memory, shown), ...cutWithin(memory.content, timelineCharacters) }
      : bare(happening, source)),
    id: `temporal:${subjectType}:${subjectId}:${facet}`,
    temporal_facet: facet,
    temporal_start_at: startAt,
    temporal_end_at: endAt,
    subject_type: subjectType,
    subject_id: subjectId,
    ...(explain && { explain: { stages: [{ name: 'timeline', score: rank, reason }] } }),
  }
}

function bare(
  { subjectType, subjectId, startAt, rank, about }: Happening,
  source: string,
): ResultRow {
  const { content = `${subjectType} ${subjectId}`, project = null, sessionKey } = about ?? {}
  return {
    ...{ id: subjectId, ...cutWithin(content, timelineCharacters) },
    ...{ score: round(rank), source, type: subjectType, who: '', tags: null, pinned: false },
    ...{ importance: 0, project, created_at: startAt },
    ...(sessionKey && { session_id: sessionKey }),
  }
}

/** A session that was found by what was said in it. */
export function toSpokenRow(
  { sessionKey, project, updatedAt, text }: Spoken,
  score: number,
  explain: boolean,
): ResultRow {
  const reason = 'holds words of the question, and counts for less than a memory'
  return {
    ...(explain && { explain: { stages: [{ name: 'transcript', score, reason }] } }),
    ...{ id: `transcript:${sessionKey}`, ...cut(text, spokenCharacters), score: round(score) },
    ...{ source: 'transcript', source_id: sessionKey, session_id: sessionKey, type: 'transcript' },
    ...{ who: '', tags: null, pinned: false, importance: 0, project, created_at: updatedAt },
    supplementary: true,
  }
}

/** Half a character is none: a cut never leaves one behind. */
function cut(content: string, most: number) {
  const truncated = content.length > most
  const shown = truncated ? `${content.slice(0, most).toWellFormed()}${truncatedMark}` : content
  return { content: shown, content_length: content.length, truncated }
}

/** The same where the mark is to be within the bound. */
function cutWithin(content: string, most: number) {
  return cut(content, content.length > most ? most - truncatedMark.length : most)
}

function round(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100
}
