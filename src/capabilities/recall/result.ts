import type { FoundMemory } from '../memory/index.ts'
import type { SessionSummary, TranscriptHit } from './needs.ts'
import type { ExplainStage } from './scored.ts'

/** Maximum length of a timeline row, including the truncation mark. */
const timelineCharacters = 900
const transcriptCharacters = 500
const truncatedMark = ' [truncated]'

/** A result row with its wire names. */
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
  /** The score after each ranking stage, if `explain` is set. */
  readonly explain?: { readonly stages: readonly ExplainStage[] }
}

/** A possible result: its row, and its memory if it has one. */
export interface Candidate {
  readonly row: ResultRow
  readonly memory: FoundMemory | undefined
}

interface RowOptions extends Pick<ResultRow, 'score' | 'source'> {
  /** Maximum content length. */
  readonly characters: number
}

export function toRow(memory: FoundMemory, { score, source, characters }: RowOptions): ResultRow {
  const { id, type, who, pinned, importance, project, visibility, scope } = memory
  const { sourceId, sessionId, sourcePath } = memory
  return {
    id,
    ...truncate(memory.content, characters),
    score: round(score),
    source,
    ...(sourceId !== null && { source_id: sourceId }),
    ...(sessionId !== null && { session_id: sessionId }),
    ...(sourcePath !== null && { source_path: sourcePath }),
    type,
    who,
    pinned,
    importance,
    project,
    visibility,
    scope,
    tags: memory.tags.length === 0 ? null : memory.tags.join(','),
    created_at: memory.createdAt,
  }
}

export interface TimelineEntry {
  readonly subjectType: string
  readonly subjectId: string
  readonly facet: string
  readonly startAt: string
  readonly endAt: string | null
  readonly rank: number
  readonly memory: FoundMemory | undefined
  /** The summary, if the subject is a session. */
  readonly about?: SessionSummary
}

export function toTemporalRow(entry: TimelineEntry, explain: boolean): ResultRow {
  const { subjectType, subjectId, facet, startAt, endAt, rank, memory } = entry
  const source = `temporal_${facet}`
  const shown = { score: rank, source, characters: timelineCharacters }
  const reason = `${facet} ${endAt === null ? `at ${startAt}` : `from ${startAt} to ${endAt}`}`
  return {
    ...(memory
      ? { ...toRow(memory, shown), ...truncateTo(memory.content, timelineCharacters) }
      : toNonMemoryRow(entry, source)),
    id: `temporal:${subjectType}:${subjectId}:${facet}`,
    temporal_facet: facet,
    temporal_start_at: startAt,
    temporal_end_at: endAt,
    subject_type: subjectType,
    subject_id: subjectId,
    ...(explain && { explain: { stages: [{ name: 'timeline', score: rank, reason }] } }),
  }
}

function toNonMemoryRow(
  { subjectType, subjectId, startAt, rank, about }: TimelineEntry,
  source: string,
): ResultRow {
  const { content = `${subjectType} ${subjectId}`, project = null, sessionKey } = about ?? {}
  return {
    id: subjectId,
    ...truncateTo(content, timelineCharacters),
    score: round(rank),
    source,
    type: subjectType,
    who: '',
    tags: null,
    pinned: false,
    importance: 0,
    project,
    created_at: startAt,
    ...(sessionKey && { session_id: sessionKey }),
  }
}

/** The row of a transcript hit. */
export function toTranscriptRow(
  { sessionKey, project, updatedAt, text }: TranscriptHit,
  score: number,
  explain: boolean,
): ResultRow {
  const reason = 'contains words of the query; ranked below memories'
  return {
    ...(explain && { explain: { stages: [{ name: 'transcript', score, reason }] } }),
    id: `transcript:${sessionKey}`,
    ...truncate(text, transcriptCharacters),
    score: round(score),
    source: 'transcript',
    source_id: sessionKey,
    session_id: sessionKey,
    type: 'transcript',
    who: '',
    tags: null,
    pinned: false,
    importance: 0,
    project,
    created_at: updatedAt,
    supplementary: true,
  }
}

/** `toWellFormed` replaces half of a surrogate pair at the cut. */
function truncate(content: string, maxLength: number) {
  const truncated = content.length > maxLength
  const shown = truncated
    ? `${content.slice(0, maxLength).toWellFormed()}${truncatedMark}`
    : content
  return { content: shown, content_length: content.length, truncated }
}

/** Truncates so that the mark fits within the maximum. */
function truncateTo(content: string, maxLength: number) {
  return truncate(
    content,
    content.length > maxLength ? maxLength - truncatedMark.length : maxLength,
  )
}

function round(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100
}
