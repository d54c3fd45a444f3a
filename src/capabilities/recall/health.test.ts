import { expect, test } from 'vitest'
import { createNoEngine } from './engine/no-engine.ts'
import { recallHealth } from './health.ts'

test.each([
  ['building', 'ok', []],
  ['ready', 'ok', []],
  ['failed', 'degraded', ['the search index has failed']],
] as const)('an index that is %s is told as %s', async (state, status, reasons) => {
  const counts = { rows: 1, vectors: 2, revision: 3 }
  const engine = { ...createNoEngine(), health: () => ({ state, ...counts }) }

  const told = await recallHealth({ engine }).check()

  expect(told).toEqual({ status, reasons, details: { state, ...counts } })
})
