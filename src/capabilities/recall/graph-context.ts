import { callMembers } from '../../kernel/capability/extension-point.ts'
import { neutralizeTexts } from '../../kernel/redaction/neutralize.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { Scored } from './lexical-search.ts'
import type { Currentness, DescribedEntity, RecallNeeds } from './needs.ts'
import type { RecallResult, ResultRow } from './replies.ts'
import type { Candidate } from './result.ts'
import type { RecallRequest } from './schemas.ts'

type GraphNeeds = Pick<RecallNeeds, 'graph' | 'log'>

const factors: Readonly<Record<Currentness, number>> = {
  current: 1.03,
  partly: 0.85,
  superseded: 0.65,
}
const reasons: Readonly<Record<Currentness, string>> = {
  current: 'its claims are current',
  partly: 'some of its claims are superseded',
  superseded: 'its claims are superseded',
}

/** Whether the claims that the hits support are current. A question about the past needs none. */
export async function readCurrentness(
  { graph, log }: GraphNeeds,
  { asOf, readScope }: Pick<SearchRequest, 'asOf' | 'readScope'>,
  hits: readonly Scored[],
): Promise<ReadonlyMap<string, Currentness>> {
  if (asOf !== undefined || hits.length === 0) return new Map()
  const ids = hits.map(({ found }) => found.memory.id)
  const maps = await callMembers(graph, log, async (source) =>
    source.listCurrentness?.(readScope, ids),
  )
  return new Map(maps.flatMap((map) => [...(map ?? [])]))
}

/** Lowers memories whose claims were replaced. */
export function applyCurrentness(hit: Scored, states: ReadonlyMap<string, Currentness>): Scored {
  const state = states.get(hit.found.memory.id)
  if (!state) return hit
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
    content: text.slice(0, maxCardCharacters).toWellFormed(),
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
