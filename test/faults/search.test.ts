import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forEachOf } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'

/** More than the threshold of a snapshot, which counts memories and vectors. */
const many = 1200
const pollOptions = { timeout: 30_000, interval: 100 }

const engines = ['sqlite', 'postgres'] as const
test.each(engines)('a killed daemon finds what a rebuilt index finds (%s)', async (engine) => {
  const workspace = await makeFolder()
  // Repeated queries must not explain a difference.
  const config = { search: { rehearsal_enabled: false, temporal_prior_enabled: false } }
  const service = await startService({ workspace, engine, config })
  onTestFinished(() => service.stop())
  const snapshot = join(workspace, 'search', 'memories.snap')

  await rememberSome(service, 0, many)
  await vi.waitFor(() => readFile(snapshot), pollOptions)
  await rememberSome(service, many, many + 100)
  await service.kill()
  await service.restart()
  const restored = await askAll(service)

  await service.kill()
  await rm(snapshot)
  await service.restart()

  expect(restored.filter(({ length }) => length > 0).length).toBeGreaterThan(10)
  expect(await askAll(service)).toEqual(restored)
})

async function rememberSome(service: Service, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at)
  await forEachOf(numbers, async (number) => {
    const content = `${words[number % 7]} ${words[(number >> 3) % 7]} number${number} is in room${number % 40}`
    await service.ask('POST /api/memory/remember', {
      body: { content, sessionId: `s${number % 9}` },
    })
  })
}

async function askAll(service: Service): Promise<string[][]> {
  await vi.waitFor(async () => {
    const { body } = await service.ask('GET /health/ready')
    expect(JSON.stringify(body)).toContain('"state":"ready"')
  }, pollOptions)
  const answers: string[][] = []
  for (const number of [1, 2, 3, 5, 8, 13, 21, 34, 555, many + 50])
    for (const query of [
      `where is number${number}?`,
      `which ${words[number % 7]} is in room${number}`,
    ]) {
      const { body } = await service.ask('POST /api/memory/recall', { body: { query } })
      const results = body['results'] as { readonly id: string; readonly score: number }[]
      answers.push(results.map(({ id, score }) => `${id} ${score}`))
    }
  return answers
}

const words = ['lamp', 'chair', 'kettle', 'violin', 'ladder', 'mirror', 'carpet']
