import { afterAll, expect, onTestFinished, test } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

test('an audit tells how the vectors are', async () => {
  await run(['remember', 'Maria adopted a grey kitten in June.'])

  expect(await json(['embed', 'audit'])).toMatchObject({
    ...{ status: 'healthy', coverage: 100 },
    tracker: { total: 1, embedded: 1, refused: 0 },
  })
  expect((await run(['embed', 'audit'])).stdout).toMatch(/✓ coverage +1 of 1 have a vector/)
})

test('a backfill makes what is missing, and ends when it is there', async () => {
  const without = await startService({ config: { embedding: { provider: 'none' } } })
  onTestFinished(() => without.stop())
  const before = reverieOf(without, 'admin')
  await before.run(['remember', 'Nobody makes a vector of this.'])
  expect(await before.json(['embed', 'audit'])).toMatchObject({ coverage: 0 })

  await before.run(['config', 'set', 'embedding.provider', 'static'])
  await without.restart()

  expect(await reverieOf(without, 'admin').json(['embed', 'backfill'])).toMatchObject({
    ...{ state: 'idle', total: 1, embedded: 1 },
  })
})
