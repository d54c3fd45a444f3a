import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { EngineQuery } from '../../engine.ts'
import { type Columns, changedSince, flag, visibilities, type WordColumn } from './columns.ts'

export type MaskRequest = Pick<EngineQuery, 'readScope' | 'filters' | 'asOf' | 'exceptSourceType'>

/** A mask, and the slots in it to evaluate. */
interface MaskUpdate {
  readonly mask: Uint8Array
  readonly slots: Int32Array
}

/**
 * Creates a mask with 1 for each live, readable and current slot that matches the filters; `ids` is
 * applied later.
 */
function createMask(columns: Columns, request: MaskRequest): Uint8Array {
  const mask = new Uint8Array(columns.flags.length)
  const slots = new Int32Array(mask.length)
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot
  applyFilters(columns, request, { mask, slots })
  return mask
}

/** Whether a slot is live, readable and in the namespace, superseded or not. */
export function isVisible(columns: Columns, { readScope, filters }: MaskRequest, slot: number) {
  const { scope } = filters
  const update = { mask: new Uint8Array(columns.flags.length), slots: Int32Array.of(slot) }
  const request = { readScope, filters: { scope } }
  applyLive(columns, request, update)
  applyReadScope(columns, request, update)
  applyCodeFilter(columns, update, { column: 'scope', allows: equals(scope) })
  return update.mask[slot] === 1
}

/** Evaluates all filters for the given slots. */
function applyFilters(columns: Columns, request: MaskRequest, update: MaskUpdate): void {
  applyLive(columns, request, update)
  applyReadScope(columns, request, update)
  applyExactFilters(columns, request, update)
  applyRangeFilters(columns, request, update)
  if (request.asOf !== undefined) applyValidity(columns, Date.parse(request.asOf), update)
}

function applyLive(
  { flags }: Columns,
  { filters: { pinned } }: MaskRequest,
  { mask, slots }: MaskUpdate,
) {
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    const set = flags.values[slot] ?? 0
    const fits = pinned === undefined || pinned === ((set & flag.pinned) !== 0)
    mask[slot] = fits && (set & flag.live) !== 0 ? 1 : 0
  }
}

const own = 2
const globalAccess = 1

function applyReadScope(
  columns: Columns,
  { readScope: scope }: MaskRequest,
  update: MaskUpdate,
): void {
  const open = visibilities.indexOf('global')
  const archived = visibilities.indexOf('archived')
  const { dictionaries, codes, visibility } = columns
  const access = Uint8Array.from(dictionaries.agent.words, (agent) => accessLevel(agent, scope))
  const agents = codes.agent.values
  const { mask, slots } = update
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    const level = access[agents[slot] ?? 0] ?? 0
    const seen = visibility.values[slot] ?? archived
    const readable =
      seen !== archived && (level === own || (level === globalAccess && seen === open))
    if (!readable) mask[slot] = 0
  }
  const { project } = scope
  if (project !== null)
    applyCodeFilter(columns, update, { column: 'project', allows: equals(project) })
}

/** Full access to the reader's own memories, access to global ones of agents that the policy allows. */
function accessLevel(agent: string | null, { agentId, policy, groupAgents }: ReadScope): number {
  if (agent === agentId) return own
  if (policy === 'isolated' || agent === null) return 0
  return policy === 'shared' || groupAgents.includes(agent) ? globalAccess : 0
}

function applyExactFilters(
  columns: Columns,
  { filters, exceptSourceType }: MaskRequest,
  update: MaskUpdate,
): void {
  const { scope, type, who, sourceType, project, tags = [] } = filters
  const { agentId: agent, sessionId: session } = filters
  applyCodeFilter(columns, update, { column: 'scope', allows: equals(scope) })
  const exact = { agent, session, type, who, sourceType, project }
  for (const column of ['agent', 'session', 'type', 'who', 'sourceType', 'project'] as const) {
    const word = exact[column]
    if (word !== undefined) applyCodeFilter(columns, update, { column, allows: equals(word) })
  }
  if (exceptSourceType !== undefined)
    applyCodeFilter(columns, update, {
      column: 'sourceType',
      allows: (word) => word !== exceptSourceType,
    })
  for (const tag of tags) {
    const needle = `,${tag.toLowerCase()},`
    applyCodeFilter(columns, update, {
      column: 'tags',
      allows: (all) => all?.includes(needle) === true,
    })
  }
}

function applyRangeFilters(
  columns: Columns,
  { filters, asOf }: MaskRequest,
  update: MaskUpdate,
): void {
  const { importanceMin = Number.NEGATIVE_INFINITY, since, until } = filters
  const from = timeOf(since, Number.NEGATIVE_INFINITY)
  const to = Math.min(
    timeOf(until, Number.POSITIVE_INFINITY),
    timeOf(asOf, Number.POSITIVE_INFINITY),
  )
  // Without `asOf`, a memory that was superseded at any time is excluded.
  const current = timeOf(asOf, Number.MAX_VALUE)
  const importance = columns.importance.values
  const created = columns.createdAt.values
  const superseded = columns.supersededAt.values
  const { mask, slots } = update
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    const time = created[slot] ?? 0
    const fits = (importance[slot] ?? 0) >= importanceMin && time >= from && time <= to
    if (!fits || (superseded[slot] ?? 0) <= current) mask[slot] = 0
  }
}

/** A memory without validity intervals is always valid. */
function applyValidity(
  { codes, validityIntervals }: Columns,
  at: number,
  { mask, slots }: MaskUpdate,
): void {
  const validity = codes.validity.values
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number
    const code = validity[slot] ?? 0
    if (code !== 0 && mask[slot] === 1 && !validityIntervals.contains(code, at)) mask[slot] = 0
  }
}

interface CodeFilter {
  readonly column: WordColumn
  readonly allows: (word: string | null) => boolean
}

/** Evaluates the predicate once per dictionary word, not per slot. */
function applyCodeFilter(
  columns: Columns,
  { mask, slots }: MaskUpdate,
  { column, allows }: CodeFilter,
): void {
  const allowed = columns.dictionaries[column].words.map(allows)
  const codes = columns.codes[column].values
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    if (!allowed[codes[slot] ?? 0]) mask[slot] = 0
  }
}

function equals(expected: string | null) {
  return (word: string | null) => word === expected
}

function timeOf(iso: string | undefined, fallback: number): number {
  return iso === undefined ? fallback : Date.parse(iso)
}

const maxCachedMasks = 16

/** An LRU cache of masks. */
export function createMasks(columns: Columns) {
  const cache = new Map<string, CachedMask>()
  const own = new WeakMap<Uint8Array, Uint8Array>()
  return {
    /** Narrows a mask to the slots of one agent. */
    ownMask: (mask: Uint8Array, agent: number): Uint8Array => {
      const agents = columns.codes.agent.values
      const narrowed =
        own.get(mask) ?? mask.map((seen, slot) => (agents[slot] === agent ? seen : 0))
      own.set(mask, narrowed)
      return narrowed
    },
    /** The caller must not write to the mask. */
    read: ({ readScope, filters, asOf, exceptSourceType }: MaskRequest): Uint8Array => {
      const { ids: _, ...filter } = filters
      const key = JSON.stringify([readScope, filter, asOf, exceptSourceType])
      const cached = cache.get(key)
      cache.delete(key)
      const mask = refreshMask(columns, { readScope, filters, asOf, exceptSourceType }, cached)
      cache.set(key, { changes: columns.changes.count, mask })
      // The first key of the map is the least recently used one.
      if (cache.size > maxCachedMasks) cache.delete(cache.keys().next().value ?? '')
      return mask
    },
  }
}

interface CachedMask {
  /** The number of column changes that the mask includes. */
  readonly changes: number
  readonly mask: Uint8Array
}

/** Updates a copy, because callers may still use the cached mask. */
function refreshMask(
  columns: Columns,
  request: MaskRequest,
  cached: CachedMask | undefined,
): Uint8Array {
  const slots = cached && changedSince(columns, cached.changes)
  if (!slots) return createMask(columns, request)
  if (slots.length === 0) return cached.mask
  const mask = new Uint8Array(columns.flags.length)
  mask.set(cached.mask)
  applyFilters(columns, request, { mask, slots })
  return mask
}
