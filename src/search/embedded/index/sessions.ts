import { noNeighbour } from '../../ranking/ranking-input.ts'
import type { Columns } from '../columns/columns.ts'
import { createGrowableArray, extend, type GrowableArray } from '../growable-array.ts'

/** Slots grouped by session and ordered by time. */
export interface Sessions {
  /** Moves the slot to a session; 0 removes it from its session. */
  assign(slot: number, session: number): void
  /** Returns 0 for a slot without session. */
  numberOf(slot: number): number
  /** The previous and next slot of the session, or `noNeighbour`. */
  before(slot: number): number
  after(slot: number): number
}

/** Slots of a session. Removed slots stay in the list until they are the majority. */
interface Members {
  slots: number[]
  removedCount: number
}

interface SessionTable {
  readonly membersBySession: Map<number, Members>
  /** By session: 1 if its slots must be sorted. */
  readonly isUnsorted: GrowableArray<Uint8Array>
  /** Session number by slot. */
  readonly sessions: GrowableArray<Int32Array>
  readonly before: GrowableArray<Int32Array>
  readonly after: GrowableArray<Int32Array>
}

export function createSessions(compare: (slot: number, other: number) => number): Sessions {
  const numbers = () => createGrowableArray((length) => new Int32Array(length))
  const table: SessionTable = {
    membersBySession: new Map(),
    isUnsorted: createGrowableArray((length) => new Uint8Array(length)),
    sessions: numbers(),
    before: numbers(),
    after: numbers(),
  }
  const neighbourIn = (column: GrowableArray<Int32Array>) => (slot: number) => {
    const session = table.sessions.values[slot] ?? 0
    if (session === 0) return noNeighbour
    if (table.isUnsorted.values[session] === 1) sort(table, session, compare)
    return column.values[slot] as number
  }
  return {
    assign: (slot, session) => assign(table, slot, session),
    numberOf: (slot) => table.sessions.values[slot] ?? 0,
    before: neighbourIn(table.before),
    after: neighbourIn(table.after),
  }
}

/**
 * Numbers each combination of agent, project and session key; 0 is no session. Agents may share a
 * session key.
 */
export function createSessionNumbers({ codes }: Pick<Columns, 'codes'>): (slot: number) => number {
  const owners = createPairNumbers()
  const sessions = createPairNumbers()
  return (slot) => {
    const session = codes.session.values[slot] ?? 0
    if (session === 0) return 0
    const owner = owners(codes.agent.values[slot] ?? 0, codes.project.values[slot] ?? 0)
    return sessions(owner, session)
  }
}

/** Numbers pairs of codes from 1 on. Codes are below 2^26, so that one number represents a pair. */
function createPairNumbers() {
  const numbers = new Map<number, number>()
  return (first: number, second: number): number => {
    const pair = first * 2 ** 26 + second
    const number = numbers.get(pair) ?? numbers.size + 1
    numbers.set(pair, number)
    return number
  }
}

function assign(table: SessionTable, slot: number, session: number): void {
  const { membersBySession, isUnsorted, sessions } = table
  for (const column of [sessions, table.before, table.after]) extend(column, slot + 1)
  extend(isUnsorted, session + 1)
  const removedCount = sessions.values[slot] ?? 0
  // The time may have changed, even if the session has not.
  isUnsorted.values[session] = 1
  if (removedCount === session) return
  sessions.values[slot] = session
  if (removedCount !== 0) removeMember(table, slot, removedCount)
  if (session === 0) return
  const group = membersBySession.get(session)
  if (group) group.slots.push(slot)
  else membersBySession.set(session, { slots: [slot], removedCount: 0 })
}

/** The remaining slots keep their order. */
function removeMember(table: SessionTable, slot: number, session: number): void {
  const membersBySession = table.membersBySession.get(session)
  if (!membersBySession) return
  if (table.isUnsorted.values[session] !== 1) unlink(table, slot)
  membersBySession.removedCount += 1
  if (2 * membersBySession.removedCount > membersBySession.slots.length)
    compactMembers(table, session, membersBySession)
}

function unlink({ before, after }: SessionTable, slot: number): void {
  const earlier = before.values[slot] as number
  const later = after.values[slot] as number
  if (earlier !== noNeighbour) after.values[earlier] = later
  if (later !== noNeighbour) before.values[later] = earlier
}

/** Removes duplicates, too: a slot may have left the session and returned. */
function compactMembers(
  { membersBySession, sessions }: SessionTable,
  session: number,
  group: Members,
): void {
  group.slots = [...new Set(group.slots)].filter((slot) => sessions.values[slot] === session)
  group.removedCount = 0
  if (group.slots.length === 0) membersBySession.delete(session)
}

function sort(
  table: SessionTable,
  session: number,
  compare: (slot: number, other: number) => number,
): void {
  const { membersBySession, isUnsorted, before, after } = table
  const group = membersBySession.get(session)
  if (group && group.removedCount > 0) compactMembers(table, session, group)
  const sorted = group?.slots.sort(compare) ?? []
  for (const [at, slot] of sorted.entries()) {
    before.values[slot] = sorted[at - 1] ?? noNeighbour
    after.values[slot] = sorted[at + 1] ?? noNeighbour
  }
  isUnsorted.values[session] = 0
}
