import type { ReadScope } from '../../../../../kernel/db/read-scope.ts'
import type { EngineQuery } from '../../engine.ts'
import { type Columns, flag, visibilities, type WordColumn } from './columns.ts'

export type MaskRequest = Pick<EngineQuery, 'readScope' | 'filters' | 'asOf'>

/** 1 for each slot that may answer: live, readable, current and as the filters say; `ids` aside. */
export function createMask(columns: Columns, request: MaskRequest): Uint8Array {
  const mask = new Uint8Array(columns.flags.length)
  const asked = columns.flags.values
  const { pinned } = request.filters
  for (let slot = 0; slot < mask.length; slot++) {
    const flags = asked[slot] ?? 0
    const fits = pinned === undefined || pinned === ((flags & flag.pinned) !== 0)
    mask[slot] = fits && (flags & flag.live) !== 0 ? 1 : 0
  }
  keepReadable(mask, columns, request.readScope)
  keepWords(mask, columns, request)
  keepNumbers(mask, columns, request)
  return mask
}

const own = 2
const others = 1

function keepReadable(mask: Uint8Array, columns: Columns, scope: ReadScope): void {
  const open = visibilities.indexOf('global')
  const archived = visibilities.indexOf('archived')
  const { dictionaries, codes, visibility } = columns
  const trust = Uint8Array.from(dictionaries.agent.words, (agent) => trustIn(agent, scope))
  const agents = codes.agent.values
  for (let slot = 0; slot < mask.length; slot++) {
    const trusted = trust[agents[slot] ?? 0] ?? 0
    const seen = visibility.values[slot] ?? archived
    const readable = seen !== archived && (trusted === own || (trusted === others && seen === open))
    if (!readable) mask[slot] = 0
  }
  const { project } = scope
  if (project !== null) keepCode(mask, columns, { column: 'project', allows: equals(project) })
}

/** Every memory of `own`, the open ones of `others`, of anybody else none. */
function trustIn(agent: string | null, { agentId, policy, groupAgents }: ReadScope): number {
  if (agent === agentId) return own
  if (policy === 'isolated' || agent === null) return 0
  return policy === 'shared' || groupAgents.includes(agent) ? others : 0
}

function keepWords(mask: Uint8Array, columns: Columns, { filters }: MaskRequest): void {
  const { scope, type, who, sourceType, project, tags = [] } = filters
  const { agentId: agent, sessionId: session } = filters
  keepCode(mask, columns, { column: 'scope', allows: equals(scope) })
  const exact = { agent, session, type, who, sourceType, project }
  for (const column of ['agent', 'session', 'type', 'who', 'sourceType', 'project'] as const) {
    const word = exact[column]
    if (word !== undefined) keepCode(mask, columns, { column, allows: equals(word) })
  }
  for (const tag of tags) {
    const held = `,${tag.toLowerCase()},`
    keepCode(mask, columns, { column: 'tags', allows: (all) => all?.includes(held) === true })
  }
}

function keepNumbers(mask: Uint8Array, columns: Columns, { filters, asOf }: MaskRequest): void {
  const { importanceMin = Number.NEGATIVE_INFINITY, since, until } = filters
  const from = timeOf(since, Number.NEGATIVE_INFINITY)
  const to = Math.min(
    timeOf(until, Number.POSITIVE_INFINITY),
    timeOf(asOf, Number.POSITIVE_INFINITY),
  )
  // Without a time what has been superseded ever, at any time, is out.
  const current = timeOf(asOf, Number.MAX_VALUE)
  const importance = columns.importance.values
  const created = columns.createdAt.values
  const superseded = columns.supersededAt.values
  for (let slot = 0; slot < mask.length; slot++) {
    const at = created[slot] ?? 0
    const fits = (importance[slot] ?? 0) >= importanceMin && at >= from && at <= to
    if (!fits || (superseded[slot] ?? 0) <= current) mask[slot] = 0
  }
}

interface Allowed {
  readonly column: WordColumn
  readonly allows: (word: string | null) => boolean
}

/** Each word is looked at once, however many slots hold it. */
function keepCode(mask: Uint8Array, columns: Columns, { column, allows }: Allowed): void {
  const allowed = columns.dictionaries[column].words.map(allows)
  const codes = columns.codes[column].values
  for (let slot = 0; slot < mask.length; slot++) if (!allowed[codes[slot] ?? 0]) mask[slot] = 0
}

function equals(asked: string | null) {
  return (word: string | null) => word === asked
}

function timeOf(iso: string | undefined, otherwise: number): number {
  return iso === undefined ? otherwise : Date.parse(iso)
}
