import { nobody } from '../../ranking/ranking-input.ts'
import type { Columns } from '../columns/columns.ts'
import { createGrowing, extend, type Growing } from '../growable-array.ts'

/** Which slots were said in one session, in the order in which they were. */
export interface Sessions {
  /** Takes the slot out of the session it was in; 0 is no session. */
  place(slot: number, session: number): void
  /** The number of the slot's session; 0 without one. */
  numberOf(slot: number): number
  /** What was said just before and after it; `nobody` without a session. */
  before(slot: number): number
  after(slot: number): number
}

/** Slots in one session, and some that have left it: so many that it is read anew when they are most. */
interface Members {
  slots: number[]
  left: number
}

interface Kept {
  readonly members: Map<number, Members>
  /** By session: 1 where its members have no order yet. */
  readonly isUnsorted: Growing<Uint8Array>
  /** By slot. */
  readonly sessions: Growing<Int32Array>
  readonly before: Growing<Int32Array>
  readonly after: Growing<Int32Array>
}

export function createSessions(isBefore: (slot: number, other: number) => number): Sessions {
  const numbers = () => createGrowing((length) => new Int32Array(length))
  const kept: Kept = {
    members: new Map(),
    isUnsorted: createGrowing((length) => new Uint8Array(length)),
    ...{ sessions: numbers(), before: numbers(), after: numbers() },
  }
  const beside = (column: Growing<Int32Array>) => (slot: number) => {
    const session = kept.sessions.values[slot] ?? 0
    if (session === 0) return nobody
    if (kept.isUnsorted.values[session] === 1) sort(kept, session, isBefore)
    return column.values[slot] as number
  }
  return {
    place: (slot, session) => place(kept, slot, session),
    numberOf: (slot) => kept.sessions.values[slot] ?? 0,
    before: beside(kept.before),
    after: beside(kept.after),
  }
}

/** Numbers each session of an agent in a project: agents may share a session key. 0 is no session. */
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

/** Numbers pairs of codes, from 1 on. Codes are below 2^26, so that one number can represent a pair. */
function createPairNumbers() {
  const numbers = new Map<number, number>()
  return (first: number, second: number): number => {
    const pair = first * 2 ** 26 + second
    const number = numbers.get(pair) ?? numbers.size + 1
    numbers.set(pair, number)
    return number
  }
}

function place(kept: Kept, slot: number, session: number): void {
  const { members, isUnsorted, sessions } = kept
  for (const column of [sessions, kept.before, kept.after]) extend(column, slot + 1)
  extend(isUnsorted, session + 1)
  const left = sessions.values[slot] ?? 0
  // Its time may have changed, even where its session has not.
  isUnsorted.values[session] = 1
  if (left === session) return
  sessions.values[slot] = session
  if (left !== 0) leave(kept, slot, left)
  if (session === 0) return
  const there = members.get(session)
  if (there) there.slots.push(slot)
  else members.set(session, { slots: [slot], left: 0 })
}

/** The others stay in their order, if they have one. */
function leave(kept: Kept, slot: number, session: number): void {
  const members = kept.members.get(session)
  if (!members) return
  if (kept.isUnsorted.values[session] !== 1) unlink(kept, slot)
  members.left += 1
  if (2 * members.left > members.slots.length) letGo(kept, session, members)
}

function unlink({ before, after }: Kept, slot: number): void {
  const earlier = before.values[slot] as number
  const later = after.values[slot] as number
  if (earlier !== nobody) after.values[earlier] = later
  if (later !== nobody) before.values[later] = earlier
}

/** Who has left and come back is there once. */
function letGo({ members, sessions }: Kept, session: number, there: Members): void {
  there.slots = [...new Set(there.slots)].filter((slot) => sessions.values[slot] === session)
  there.left = 0
  if (there.slots.length === 0) members.delete(session)
}

function sort(
  kept: Kept,
  session: number,
  isBefore: (slot: number, other: number) => number,
): void {
  const { members, isUnsorted, before, after } = kept
  const there = members.get(session)
  if (there && there.left > 0) letGo(kept, session, there)
  const sorted = there?.slots.sort(isBefore) ?? []
  for (const [at, slot] of sorted.entries()) {
    before.values[slot] = sorted[at - 1] ?? nobody
    after.values[slot] = sorted[at + 1] ?? nobody
  }
  isUnsorted.values[session] = 0
}
