import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { FoundMemory } from '../memory/index.ts'
import type { CollectionRow, SessionSummary, TranscriptHit } from './needs.ts'
import type { ResultRow, Source } from './replies.ts'

/** Maximum length of a timeline row, including the truncation mark. */
const timelineCharacters = 900
const transcriptCharacters = 500
const truncatedMark = ' [truncated]'

/** A possible result: its row, and its memory if it has one. */
export interface Candidate {
  readonly row: ResultRow
  readonly memory: FoundMemory | undefined
  /** A turn of a dialogue. */
  readonly isTurn?: boolean
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
    ...(isExternal(memory) && { trust: 'external' }),
  }
}

/** The chunks of documents were written by others. */
function isExternal({ type }: FoundMemory): boolean {
  return type === 'document_chunk'
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

/** Fields that only memories have. */
const notMemory = { who: '', tags: null, pinned: false, importance: 0 } as const

function toNonMemoryRow(
  { subjectType, subjectId, startAt, rank, about }: TimelineEntry,
  source: string,
): ResultRow {
  const { content = `${subjectType} ${subjectId}`, project = null, sessionKey } = about ?? {}
  return {
    id: subjectId,
    ...truncateTo(content, timelineCharacters),
    ...notMemory,
    score: round(rank),
    source,
    type: subjectType,
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
    ...notMemory,
    project,
    created_at: updatedAt,
    supplementary: true,
  }
}

/** The row of a text that others wrote. */
export function toExternalRow(
  row: CollectionRow,
  shown: { readonly score: number; readonly confidence: number; readonly characters: number },
): ResultRow {
  return {
    id: row.shownId,
    ...truncate(row.content, shown.characters),
    ...notMemory,
    who: row.sourceName,
    score: round(shown.score),
    source: row.source,
    source_id: row.sourceId,
    source_path: row.sourcePath,
    type: 'source_chunk',
    project: null,
    created_at: row.createdAt,
    visibility: 'private',
    confidence: round(shown.confidence),
    trust: 'external',
    heading: row.heading,
  }
}

function truncate(content: string, maxLength: number) {
  const truncated = content.length > maxLength
  const shown = truncated ? `${sliceText(content, 0, maxLength)}${truncatedMark}` : content
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

/**
 * The full sources of the rows, by source id or memory id. Several memories of one source
 * are joined in order of creation.
 */
export function toSources(shown: readonly Candidate[]): Record<string, Source> {
  const memories = new Map(shown.flatMap(({ memory }) => (memory ? [[memory.id, memory]] : [])))
  const sources = new Map<string, Source>()
  for (const memory of [...memories.values()].toSorted(byAge)) {
    const { id, content, sourceId, sourceType, sourcePath } = memory
    const existing = sources.get(sourceId ?? id)
    sources.set(
      sourceId ?? id,
      existing
        ? { ...existing, content: `${existing.content}\n\n${content}` }
        : { content, sourceType, sourcePath },
    )
  }
  return Object.fromEntries(sources)
}

function byAge(a: FoundMemory, b: FoundMemory): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)
}

/** Source type of saved aggregates, which repeat the content of other memories. */
export const aggregateSource = 'aggregate-recall'
