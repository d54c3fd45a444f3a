import { readdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forEachOf, sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'
import { type Acknowledged, writeUntilGone } from '../support/write-until-gone.ts'

// Repeated queries must not explain a difference.
const search = { rehearsal_enabled: false, temporal_prior_enabled: false }
const config = { search, memory: { pipelineV2: { embeddingTracker: { pollMs: 100 } } } }
const pollOptions = { timeout: 30_000, interval: 50 }

test('a daemon killed during writes of all kinds finds what a rebuilt index finds', async () => {
  const { service, snapshot } = await start()
  const written: Acknowledged = { present: [], gone: [] }

  for (const round of sampleRounds([1, 2, 3], 1)) {
    await purgeSomebody(service, `eve${round}`)
    await vi.waitFor(() => stat(snapshot), pollOptions)
    await writeUntilGone(service, {
      written,
      name: `round${round}`,
      clients: 6,
      acknowledged: (count) => {
        if (count === 15 * round) service.signal('SIGKILL')
      },
    })
    await service.kill()
    await service.restart()
    await expectRebuiltAnswers(service, snapshot, written)
  }
})

test('a daemon killed while it writes a snapshot finds what a rebuilt index finds', async () => {
  const { service, folder, snapshot } = await start()
  const written = await rememberAndForget(service)
  await purgeSomebody(service, 'eve')
  await vi.waitFor(() => stat(snapshot), pollOptions)

  const listUnfinished = () => readdirSync(folder).filter((name) => name.startsWith('.next-'))
  // The snapshot may be complete before the test sees it, or before the signal arrives.
  for (let turn = 1; listUnfinished().length === 0 && turn <= 10; turn++) {
    if (turn > 1) await service.restart()
    const purging = purgeSomebody(service, `eve${turn}`)
    await lookFor(() => listUnfinished().length > 0)
    service.signal('SIGKILL')
    await Promise.allSettled([purging, service.kill()])
  }
  expect(listUnfinished()).toHaveLength(1)
  await service.restart()

  await expectRebuiltAnswers(service, snapshot, written)
  expect(listUnfinished()).toEqual([])
})

/** Polls as often as possible for two seconds. */
async function lookFor(isThere: () => boolean): Promise<void> {
  for (const until = Date.now() + 2000; !isThere() && Date.now() < until; ) await pause(1)
}

async function start() {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite', config })
  onTestFinished(() => service.stop())
  const folder = join(workspace, 'search')
  return { service, folder, snapshot: join(folder, 'memories.snap') }
}

/** Purged rows must leave the snapshot, so a new one is written. */
async function purgeSomebody(service: Service, name: string): Promise<void> {
  await service.ask('POST /api/agents', { body: { name } })
  const body = { content: `${name} was here` }
  await service.ask('POST /api/memory/remember', { body, agent: name })
  // The snapshot lacks rows that the index has not read yet.
  await service.ask('POST /api/memory/recall', { body: { query: name }, agent: name })
  const purging = `DELETE /api/agents/${name}?purge=true`
  expect(await service.ask(purging, { role: 'admin' })).toMatchObject({ status: 200 })
  // Purges are read with the next write.
  await service.ask('POST /api/memory/remember', { body: { content: `${name} is no more` } })
}

async function rememberAndForget(service: Service): Promise<Acknowledged> {
  const written: Acknowledged = { present: [], gone: [] }
  await forEachOf([...Array(40).keys()], async (number) => {
    const query = `number${number}`
    const body = { content: `${query} is what this memory says` }
    const id = String((await service.ask('POST /api/memory/remember', { body })).body['id'])
    if (number % 4 === 0) await service.ask(`DELETE /api/memory/${id}?reason=test`)
    written[number % 4 === 0 ? 'gone' : 'present'].push({ id, question: { query } })
  })
  return written
}

async function expectRebuiltAnswers(
  service: Service,
  snapshot: string,
  written: Acknowledged,
): Promise<void> {
  const restored = await askAll(service, written)
  const isFound = ({ id, question }: Acknowledged['present'][number]) =>
    restored.get(JSON.stringify(question))?.includes(`"${id}"`)
  expect(written.present.filter((one) => !isFound(one))).toEqual([])
  expect(written.gone.filter((one) => isFound(one))).toEqual([])
  expect(Math.min(written.present.length, written.gone.length)).toBeGreaterThan(0)

  await service.kill()
  await rm(snapshot)
  await service.restart()
  expect(await askAll(service, written)).toEqual(restored)
}

/** The hits of each query with their scores. */
async function askAll(service: Service, { present, gone }: Acknowledged) {
  await vi.waitFor(async () => {
    const { coverage } = (await service.ask('GET /api/embeddings/health')).body
    expect(coverage).toBe(100)
    const { body } = await service.ask('GET /health/ready')
    expect(JSON.stringify(body)).toContain('"state":"ready"')
  }, pollOptions)
  const answers = new Map<string, string>()
  await forEachOf([...present, ...gone], async ({ question }) => {
    const { body } = await service.ask('POST /api/memory/recall', { body: question })
    const results = body['results'] as { readonly id: string; readonly score: number }[]
    const scored = results.map(({ id, score }) => [id, score])
    answers.set(JSON.stringify(question), JSON.stringify(scored))
  })
  return answers
}
