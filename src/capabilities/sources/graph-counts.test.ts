import { expect } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { createGraphCounts } from './graph-counts.ts'
import { createJob, type IndexJob } from './runs/job.ts'
import { onEachEngine, sourcesKit } from './sources.fixture.ts'

onEachEngine('the graph is counted seldom while a run changes it', async (db) => {
  const kit = await sourcesKit(db)
  const host = manualClockHost()
  const state: { counted: number; job?: IndexJob; fails: boolean } = { counted: 0, fails: false }
  const read = createGraphCounts({
    db,
    host,
    scheduler: { find: () => state.job },
    graph: {
      ...kit.graph,
      countRows: async (...args) => {
        state.counted += 1
        if (state.fails) throw new Error('no rows')
        return kit.graph.countRows(...args)
      },
    },
  })
  const source = { id: 'web:1', providerSettings: { agentId: 'ada' } }

  await read(source)
  await read(source)
  expect(state.counted).toBe(2)

  state.job = { ...createJob(source, host.now()), status: 'running' }
  expect(await read(source)).toMatchObject({ entities: 0 })
  await read(source)
  expect(state.counted).toBe(3)
  host.advance(5_000)
  state.fails = true
  await expect(read(source)).rejects.toThrow('no rows')
  await expect(read(source)).rejects.toThrow('no rows')
  expect(state.counted).toBe(5)

  state.fails = false
  state.job = { ...state.job, status: 'complete' }
  await read(source)
  await read(source)
  expect(state.counted).toBe(7)
})
