import type { SearchEngine } from './engine.ts'

/** Where nothing is indexed: every answer sends whoever asks to the database. */
export function createNoEngine(): SearchEngine {
  return {
    changed: () => {},
    search: async () => ({ candidates: [], degraded: 'no_index', timings: [] }),
    similar: async () => undefined,
    health: () => ({ state: 'absent', rows: 0, vectors: 0, revision: 0 }),
    close: async () => {},
  }
}
