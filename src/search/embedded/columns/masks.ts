import { type Columns, changedSince } from './columns.ts'
import { createMask, judge, type MaskRequest } from './mask.ts'

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
