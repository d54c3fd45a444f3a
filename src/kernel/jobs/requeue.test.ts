import { expect, onTestFinished } from 'vitest'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { steeredHost } from '../testing/steered-host.ts'
import { createJobs } from './jobs.ts'
import { jobsMigrations } from './migrations.ts'

const onEachEngine = testOnEachEngine(jobsMigrations)

onEachEngine('requeues dead jobs without their dedupe keys', async (db) => {
  const ids = ['owner', 'dead', 'newer'].values()
  const host = { ...steeredHost(), newId: () => ids.next().value ?? '' }
  const jobs = createJobs({ db, host, log: createLog('silent') })
  onTestFinished(() => jobs.stop(0))
  const gone = new Refusal('gone', 'source_gone', 'The source is gone.')
  jobs.handle({ kind: 'note', run: () => Promise.reject(gone) })
  const enqueue = () => jobs.enqueue(db, { kind: 'note', dedupeKey: 'a' })
  const { id } = await enqueue()
  jobs.start()
  await expect.poll(async () => (await jobs.find(id))?.state).toBe('dead')
  jobs.pause()
  const { id: newer } = await enqueue()

  expect(await jobs.requeueDead(50)).toBe(1)

  const requeued = { state: 'pending', attempts: 0, reason: null, dedupeKey: null }
  expect(await jobs.find(id)).toMatchObject(requeued)
  expect(await jobs.find(newer)).toMatchObject({ state: 'pending', dedupeKey: 'a' })
})
