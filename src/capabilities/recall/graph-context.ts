import { callMembers } from '../../kernel/capability/extension-point.ts'
import { neutralizeTexts } from '../../kernel/redaction/neutralize.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { Scored } from './lexical-search.ts'
import type { Currentness, DescribedEntity, GraphSource, RecallNeeds } from './needs.ts'
import type { RecallResult, ResultRow } from './replies.ts'
import type { Candidate } from './result.ts'
import type { RecallRequest } from './schemas.ts'

type GraphNeeds = Pick<RecallNeeds, 'graph' | 'log'>

const factors: Readonly<Record<Currentness, number>> = {
  current: 1.03,
  partly: 0.85,
  superseded: 0.65,
}
/** A memory may support several claims. */
const maxSuccessors = 3
const reasons: Readonly<Record<Currentness, string>> = {
  current: 'its claims are current',
  partly: 'some of its claims are superseded',
  superseded: 'its claims are superseded',
}

/** Whether the claims of memories are current, and which memories support what replaced them. */
export interface Supersession {
  readonly states: ReadonlyMap<string, Currentness>
  /** The newest first, by the id of the superseded memory. */
  readonly successors: ReadonlyMap<string, readonly string[]>
}

/** Whether the claims that memories support are current. A question about the past needs none. */
export async function readSupersession(
  { graph, log }: GraphNeeds,
  { asOf, readScope }: Pick<SearchRequest, 'asOf' | 'readScope'>,
  ids: readonly string[],
): Promise<Supersession> {
  if (asOf !== undefined || ids.length === 0) return { states: new Map(), successors: new Map() }
  const read = async <Value>(
    list: (source: GraphSource) => Promise<ReadonlyMap<string, Value> | undefined>,
  ) => {
    const maps = await callMembers(graph, log, list)
    return new Map(maps.flatMap((map) => [...(map ?? [])]))
  }
  const states = await read(async (source) => source.listCurrentness?.(readScope, ids))
  const superseded = ids.filter((id) => states.get(id) === 'superseded')
  const successors =
    superseded.length === 0
      ? new Map<string, readonly string[]>()
      : await read(async (source) => source.listSuccessors?.(readScope, superseded))
  return { states, successors }
}

/** Adds the successors that are no hits, and drops those that the caller does not find. */
export async function addSuccessors(
  { memory }: Pick<RecallNeeds, 'memory'>,
  { at, ...request }: SearchRequest & { readonly at: string },
  { hits, supersession }: { readonly hits: readonly Scored[]; readonly supersession: Supersession },
): Promise<{ readonly hits: readonly Scored[]; readonly supersession: Supersession }> {
  const { states, successors } = supersession
  const known = new Set(hits.map(({ found }) => found.memory.id))
  const ofHits = [...successors].filter(([id]) => known.has(id))
  const newest = ofHits.flatMap(([, ids]) => ids.slice(0, maxSuccessors))
  const ids = [...new Set(newest)].filter((id) => !known.has(id))
  const found = ids.length === 0 ? [] : await memory.search.listFound({ ids, at }, request)
  for (const { memory } of found) known.add(memory.id)
  const readable = ofHits.map(
    ([id, list]) => [id, list.filter((successor) => known.has(successor))] as const,
  )
  return {
    hits: [...hits, ...found.map(toSuccessor)],
    supersession: { states, successors: new Map(readable.filter(([, list]) => list.length > 0)) },
  }
}

/** It answers only instead of what it replaces. */
function toSuccessor(found: Scored['found']): Scored {
  const stages = [{ name: 'successor', score: 0, reason: 'supports what replaced a claim' }]
  return { found, score: 0, source: 'traversal', stages, isRelated: true }
}

/** Lowers memories whose claims were replaced. Where the successor is known, the answer rules do. */
export function applyCurrentness(hit: Scored, { states, successors }: Supersession): Scored {
  const { id } = hit.found.memory
  const state = states.get(id)
  if (!state || successors.has(id)) return hit
  const score = Math.min(factors[state] * hit.score, Math.max(1, hit.score))
  const stage = { name: 'currentness', score, reason: reasons[state] }
  return { ...hit, score, stages: [...hit.stages, stage] }
}

/** The entities of a query; none with filters, which a graph does not know. */
export function selectEntities(
  entities: readonly DescribedEntity[],
  filters: SearchRequest['filters'],
): readonly DescribedEntity[] {
  const values = Object.values(filters).flat()
  return values.some((value) => value !== undefined && value !== null) ? [] : entities
}

export function toEntities(described: readonly DescribedEntity[]): RecallResult['entities'] {
  return neutralizeTexts(
    described.map(({ name, type, aspects }) => ({
      name,
      type,
      aspects: aspects.map(({ name, attributes }) => ({
        name,
        attributes: attributes.map(({ content, status, importance }) => ({
          content,
          status,
          importance,
        })),
      })),
    })),
  )
}

const minCards = 3
const cardShare = 0.3
const maxCardCharacters = 900
const scoreStep = 0.9

interface Answered {
  readonly request: Pick<RecallRequest, 'aggregate' | 'asOf' | 'limit' | 'minScore'>
  readonly candidates: readonly Candidate[]
}

/** An answer that has rows and room gets cards of the entities that the query names, below them. */
export function addCards(
  { described = [] }: { readonly described?: readonly DescribedEntity[] },
  { request: { aggregate, asOf, limit, minScore = 0 }, candidates }: Answered,
): readonly Candidate[] {
  const rows = candidates.filter(({ row }) => row.score >= minScore)
  const last = rows.at(-1)
  if (aggregate || asOf !== undefined || !last) return candidates
  const score = scoreStep * Math.min(...rows.map(({ row }) => row.score))
  const room = Math.min(limit - rows.length, Math.max(minCards, Math.ceil(cardShare * limit)))
  const exact = described.filter(({ isExact }) => isExact).slice(0, Math.max(0, room))
  const at = last.row.created_at
  return [
    ...candidates,
    ...exact.map((entity) => ({ memory: undefined, row: toCardRow(entity, { score, at }) })),
  ]
}

function toCardRow(
  { aspects, id, name, type }: DescribedEntity,
  { score, at }: { readonly score: number; readonly at: string },
): ResultRow {
  const lines = aspects.flatMap(({ name: aspect, attributes }) =>
    attributes.map(
      ({ claimKey, content }) => `- ${aspect} / ${claimKey.replaceAll('_', ' ')}: ${content}`,
    ),
  )
  const text = [`${name} (${type})`, ...lines].join('\n')
  const truncated = text.length > maxCardCharacters
  return {
    id: `constructed:entity:${id}`,
    content: sliceText(text, 0, maxCardCharacters),
    content_length: text.length,
    truncated,
    score,
    source: 'constructed',
    type: 'entity',
    who: '',
    tags: null,
    pinned: false,
    importance: 0,
    project: null,
    created_at: at,
    supplementary: true,
  }
}
