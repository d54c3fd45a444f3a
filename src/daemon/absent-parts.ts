import { createNoEngine } from '../capabilities/recall/index.ts'

/** What recall can do without: nobody indexes, makes vectors or links knowledge yet. */
export function createAbsentParts() {
  return {
    engine: createNoEngine(),
    embeddings: {
      embedQuery: async () => undefined,
      vectorOf: async () => undefined,
      activeIdentity: () => '',
    },
    graph: { search: async () => [] },
  }
}
