/** Which slots were said in one session, in the order in which they were. */
export interface Sessions {
  /** Takes the slot out of the session it was in; 0 is no session. */
  place(slot: number, session: number): void
  /** What was said just before and after it; nothing without a session. */
  beside(slot: number): {
    readonly before?: number | undefined
    readonly after?: number | undefined
  }
}

export function createSessions(isBefore: (slot: number, other: number) => number): Sessions {
  const members = new Map<number, number[]>()
  const sessionOf: number[] = []
  const unsorted = new Set<number>()

  const leave = (slot: number, session: number) => {
    const left = members.get(session)?.filter((member) => member !== slot) ?? []
    if (left.length === 0) members.delete(session)
    else members.set(session, left)
  }
  return {
    place: (slot, session) => {
      const before = sessionOf[slot] ?? 0
      // Its time may have changed, even where its session has not.
      unsorted.add(session)
      if (before === session) return
      if (before !== 0) leave(slot, before)
      sessionOf[slot] = session
      if (session === 0) return
      const there = members.get(session)
      if (there) there.push(slot)
      else members.set(session, [slot])
    },
    beside: (slot) => {
      const session = sessionOf[slot] ?? 0
      if (session === 0) return {}
      const there = members.get(session) ?? []
      if (unsorted.delete(session)) there.sort(isBefore)
      const at = placeOf(slot, there, isBefore)
      return { before: there[at - 1], after: there[at + 1] }
    },
  }
}

/** Halves what is left until it has found the slot, which is there. */
function placeOf(
  slot: number,
  sorted: readonly number[],
  isBefore: (slot: number, other: number) => number,
): number {
  let from = 0
  let to = sorted.length - 1
  while (from < to) {
    const middle = (from + to) >> 1
    const other = sorted[middle] ?? slot
    if (other !== slot && isBefore(other, slot) < 0) from = middle + 1
    else to = middle
  }
  return from
}
