import type { ReadScope } from '../../../kernel/db/read-scope.ts'
import type { EngineQuery } from '../../engine.ts'
import { type Columns, changedSince, flag, visibilities, type WordColumn } from './columns.ts'

export type MaskRequest = Pick<EngineQuery, 'readScope' | 'filters' | 'asOf' | 'exceptSourceType'>

/** What is known of which slots, as far as it is asked. */
interface Judged {
  readonly mask: Uint8Array
  readonly slots: Int32Array
}

/** 1 for each slot that may answer: live, readable, current and as the filters say; `ids` aside. */
function createMask(columns: Columns, request: MaskRequest): Uint8Array {
  const mask = new Uint8Array(columns.flags.length)
  const slots = new Int32Array(mask.length)
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot
  judge(columns, request, { mask, slots })
  return mask
}

/** Whether one slot is live, readable and in the namespace, current or not. */
export function isInSight(columns: Columns, { readScope, filters }: MaskRequest, slot: number) {
  const { scope } = filters
  const judged = { mask: new Uint8Array(columns.flags.length), slots: Int32Array.of(slot) }
  const request = { readScope, filters: { scope } }
  keepLive(columns, request, judged)
  keepReadable(columns, request, judged)
  keepCode(columns, judged, { column: 'scope', allows: equals(scope) })
  return judged.mask[slot] === 1
}

/** Judges some slots anew. */
function judge(columns: Columns, request: MaskRequest, judged: Judged): void {
  keepLive(columns, request, judged)
  keepReadable(columns, request, judged)
  keepWords(columns, request, judged)
  keepNumbers(columns, request, judged)
  if (request.asOf !== undefined) keepValid(columns, Date.parse(request.asOf), judged)
}

function keepLive(
  { flags }: Columns,
  { filters: { pinned } }: MaskRequest,
  { mask, slots }: Judged,
) {
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    const set = flags.values[slot] ?? 0
    const fits = pinned === undefined || pinned === ((set & flag.pinned) !== 0)
    mask[slot] = fits && (set & flag.live) !== 0 ? 1 : 0
  }
}

const own = 2
const others = 1

function keepReadable(columns: Columns, { readScope: scope }: MaskRequest, judged: Judged): void {
  const open = visibilities.indexOf('global')
  const archived = visibilities.indexOf('archived')
  const { dictionaries, codes, visibility } = columns
  const trust = Uint8Array.from(dictionaries.agent.words, (agent) => trustIn(agent, scope))
  const agents = codes.agent.values
  const { mask, slots } = judged
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    const trusted = trust[agents[slot] ?? 0] ?? 0
    const seen = visibility.values[slot] ?? archived
    const readable = seen !== archived && (trusted === own || (trusted === others && seen === open))
    if (!readable) mask[slot] = 0
  }
  const { project } = scope
  if (project !== null) keepCode(columns, judged, { column: 'project', allows: equals(project) })
}

/** Every memory of `own`, the open ones of `others`, of anybody else none. */
function trustIn(agent: string | null, { agentId, policy, groupAgents }: ReadScope): number {
  if (agent === agentId) return own
  if (policy === 'isolated' || agent === null) return 0
  return policy === 'shared' || groupAgents.includes(agent) ? others : 0
}

function keepWords(
  columns: Columns,
  { filters, exceptSourceType }: MaskRequest,
  judged: Judged,
): void {
  const { scope, type, who, sourceType, project, tags = [] } = filters
  const { agentId: agent, sessionId: session } = filters
  keepCode(columns, judged, { column: 'scope', allows: equals(scope) })
  const exact = { agent, session, type, who, sourceType, project }
  for (const column of ['agent', 'session', 'type', 'who', 'sourceType', 'project'] as const) {
    const word = exact[column]
    if (word !== undefined) keepCode(columns, judged, { column, allows: equals(word) })
  }
  if (exceptSourceType !== undefined)
    keepCode(columns, judged, {
      column: 'sourceType',
      allows: (word) => word !== exceptSourceType,
    })
  for (const tag of tags) {
    const held = `,${tag.toLowerCase()},`
    keepCode(columns, judged, { column: 'tags', allows: (all) => all?.includes(held) === true })
  }
}

function keepNumbers(columns: Columns, { filters, asOf }: MaskRequest, judged: Judged): void {
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
  const { mask, slots } = judged
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    const time = created[slot] ?? 0
    const fits = (importance[slot] ?? 0) >= importanceMin && time >= from && time <= to
    if (!fits || (superseded[slot] ?? 0) <= current) mask[slot] = 0
  }
}

/** What nothing is said of is valid at all times. */
function keepValid({ codes, spans }: Columns, at: number, { mask, slots }: Judged): void {
  const validity = codes.validity.values
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place] as number
    const code = validity[slot] ?? 0
    if (code !== 0 && mask[slot] === 1 && !spans.hold(code, at)) mask[slot] = 0
  }
}

interface Allowed {
  readonly column: WordColumn
  readonly allows: (word: string | null) => boolean
}

/** Each word is looked at once, however many slots hold it. */
function keepCode(columns: Columns, { mask, slots }: Judged, { column, allows }: Allowed): void {
  const allowed = columns.dictionaries[column].words.map(allows)
  const codes = columns.codes[column].values
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    if (!allowed[codes[slot] ?? 0]) mask[slot] = 0
  }
}

function equals(asked: string | null) {
  return (word: string | null) => word === asked
}

function timeOf(iso: string | undefined, otherwise: number): number {
  return iso === undefined ? otherwise : Date.parse(iso)
}

const keptAtMost = 16

/** Masks that were asked for lately. */
export function createMasks(columns: Columns) {
  const kept = new Map<string, Kept>()
  const own = new WeakMap<Uint8Array, Uint8Array>()
  return {
    /** Of a mask that was read for an agent what is its own. */
    readOwn: (mask: Uint8Array, agent: number): Uint8Array => {
      const agents = columns.codes.agent.values
      const narrowed =
        own.get(mask) ?? mask.map((seen, slot) => (agents[slot] === agent ? seen : 0))
      own.set(mask, narrowed)
      return narrowed
    },
    /** Whoever gets the mask does not write into it. */
    read: ({ readScope, filters, asOf, exceptSourceType }: MaskRequest): Uint8Array => {
      const { ids: _, ...filter } = filters
      const key = JSON.stringify([readScope, filter, asOf, exceptSourceType])
      const there = kept.get(key)
      kept.delete(key)
      const mask = bringUp(columns, { readScope, filters, asOf, exceptSourceType }, there)
      kept.set(key, { changes: columns.changes.count, mask })
      // The first key is the one that was asked for longest ago.
      if (kept.size > keptAtMost) kept.delete(kept.keys().next().value ?? '')
      return mask
    },
  }
}

interface Kept {
  /** How many there were of the columns. */
  readonly changes: number
  readonly mask: Uint8Array
}

/** A mask that whoever has it may keep as it is: what has changed is judged in another. */
function bringUp(columns: Columns, request: MaskRequest, there: Kept | undefined): Uint8Array {
  const slots = there && changedSince(columns, there.changes)
  if (!slots) return createMask(columns, request)
  if (slots.length === 0) return there.mask
  const mask = new Uint8Array(columns.flags.length)
  mask.set(there.mask)
  judge(columns, request, { mask, slots })
  return mask
}
