import type { SearchEngine } from './engine.ts'

/** Where nothing is indexed: every answer sends whoever asks to the database. */
export function createNoEngine(): SearchEngine {
  const answer = async () => ({ candidates: [], degraded: 'no_index', timings: [] }) as const
  return {
    changed: () => {},
    search: answer,
    similar: answer,
    health: () => ({ state: 'absent', rows: 0, vectors: 0, revision: 0 }),
    close: async () => {},
  }
}
