import { expect, onTestFinished } from 'vitest'
import { createLog } from '../log/log.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { createJobs } from './jobs.ts'
import { jobsMigrations } from './migrations.ts'

const onEachEngine = testOnEachEngine(jobsMigrations)

onEachEngine(
  'an exclusive daemon recovers the jobs of a dead daemon when it starts',
  async (db) => {
    const open = (name: string) => {
      const host = { ...manualClockHost(), newId: () => name }
      const jobs = createJobs({ db, host, log: createLog('silent'), exclusive: true })
      onTestFinished(() => jobs.stop(0))
      return jobs
    }
    const state = async () => (await jobs.find(id))?.state
    const killed = open('killed')
    killed.handle({ kind: 'note', run: () => new Promise(() => {}) })
    const { id } = await killed.enqueue(db, { kind: 'note' })
    const jobs = open('next')
    jobs.handle({ kind: 'note', run: async () => {} })
    killed.start()
    await expect.poll(state).toBe('leased')

    jobs.start()

    await expect.poll(state).toBe('completed')
    expect(await jobs.find(id)).toMatchObject({ attempts: 2 })
  },
)
