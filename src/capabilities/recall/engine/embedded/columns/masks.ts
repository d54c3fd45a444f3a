import type { Columns } from './columns.ts'
import { createMask, type MaskRequest } from './mask.ts'

const keptAtMost = 16

/** Masks that were asked for lately, as long as no slot has changed. */
export function createMasks(columns: Columns) {
  const kept = new Map<string, { readonly revision: number; readonly mask: Uint8Array }>()
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
    /** `revision` counts the changes of the columns. Whoever gets the mask does not write into it. */
    read: (revision: number, { readScope, filters, asOf }: MaskRequest): Uint8Array => {
      const { ids: _, ...filter } = filters
      const key = JSON.stringify([readScope, filter, asOf])
      const there = kept.get(key)
      kept.delete(key)
      const mask =
        there?.revision === revision
          ? there.mask
          : createMask(columns, { readScope, filters, asOf })
      kept.set(key, { revision, mask })
      // The first key is the one that was asked for longest ago.
      if (kept.size > keptAtMost) kept.delete(kept.keys().next().value ?? '')
      return mask
    },
  }
}
