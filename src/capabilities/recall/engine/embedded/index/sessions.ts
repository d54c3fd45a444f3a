/** Which slots were said in one session, in the order in which they were. */
export interface Sessions {
  /** Takes the slot out of the session it was in; 0 is no session. */
  place(slot: number, session: number): void
  /** Every slot of its session, itself among them; nothing without one. */
  around(slot: number): readonly number[]
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
    around: (slot) => {
      const session = sessionOf[slot] ?? 0
      const there = members.get(session) ?? []
      if (unsorted.delete(session)) there.sort(isBefore)
      return there
    },
  }
}
