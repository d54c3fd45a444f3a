import { expect } from 'vitest'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { EngineQuery, SearchEngine } from '../engine.ts'

/** A new database, with writes as the owners of memories and vectors make them. */
export interface EngineHarness {
  insert(id: string, content: string, more?: Columns): Promise<void>
  change(id: string, changed: Columns): Promise<void>
  hint(id: string, agentId: string, hint: string): Promise<void>
  purge(id: string): Promise<void>
  /** Adds a validity interval; dates, without an end if it is open. */
  addValidity(id: string, from: string, until?: string): Promise<void>
  /** Passage 0 first, then its parts. */
  embed(id: string, identity: string, vectors: readonly (readonly number[])[]): Promise<void>
  /** A ready engine; after closing the last one it is a restart. */
  open(): Promise<SearchEngine>
}

type Columns = Readonly<Record<string, unknown>>

export interface ContractCase {
  readonly name: string
  /** Skipped where vectors are not searched. */
  readonly needsVectors?: true
  readonly run: (harness: EngineHarness) => Promise<void>
}

export const readerScope: ReadScope = {
  agentId: 'ada',
  policy: 'isolated',
  groupAgents: [],
  project: null,
}

export const queryFor = (text: string, more: Partial<EngineQuery> = {}): EngineQuery => ({
  text,
  readScope: readerScope,
  filters: { scope: null },
  limit: 10,
  now: '2026-01-02T03:04:05.000Z',
  ...more,
})

export async function findIds(engine: SearchEngine, text: string, more: Partial<EngineQuery> = {}) {
  const { candidates, degraded } = await engine.search(queryFor(text, more))
  expect(degraded).toBeUndefined()
  return candidates.map(({ id }) => id)
}

/** Sorted by id. */
export const findSorted = async (...options: Parameters<typeof findIds>) =>
  (await findIds(...options)).toSorted()

export const vectorQuery = (identity: string, ...values: number[]) => ({
  vector: { identity, values: Float32Array.from(values) },
})
