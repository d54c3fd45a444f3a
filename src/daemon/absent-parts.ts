import { createNoEngine } from '../capabilities/recall/index.ts'

/** What recall can do without: nobody indexes or links knowledge yet. */
export function createAbsentParts() {
  return {
    engine: createNoEngine(),
    graph: { search: async () => [] },
  }
}
