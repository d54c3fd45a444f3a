import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { launchFailing } from '../support/daemon-process.ts'
import { inspectDatabase } from '../support/inspect-database.ts'
import { forEachOf } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startModelUpstream } from '../support/model-upstream.ts'
import { canMount, copyDisk, onFullDisk, onSmallDisk, resizeDisk } from '../support/small-disk.ts'
import { type Service, startService } from '../support/start-service.ts'

test('a file at its size limit refuses writes, serves reads and loses nothing', async () => {
  const workspace = await makeFolder()
  // The limit is 8 MB (in blocks of 512 bytes); creating the tables fills half of it in the log.
  const full = await startService({ workspace, engine: 'sqlite', limit: 'ulimit -f 16384;' })
  onTestFinished(() => full.stop())

  const { savedIds, last } = await fill(full)
  expect(last.status).toBeGreaterThanOrEqual(500)

  await forEachOf(savedIds, async (id) => {
    expect((await full.ask(`GET /api/memory/${id}`)).status).toBe(200)
  })
  await full.stop()
  expect(inspectDatabase(workspace)).toEqual([])

  const restarted = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => restarted.stop())
  await forEachOf(savedIds, async (id) => {
    expect((await restarted.ask(`GET /api/memory/${id}`)).status).toBe(200)
  })
  const body = { content: 'room again' }
  expect((await restarted.ask('POST /api/memory/remember', { body })).status).toBe(200)
})

test.skipIf(!canMount())(
  'a full disk refuses writes with 503 and accepts them again when space is free',
  async () => {
    const workspace = await makeFolder()
    const model = await startModelUpstream()
    onTestFinished(() => model.stop())
    const service = await startService({
      workspace,
      engine: 'sqlite',
      limit: onSmallDisk(8),
      config: { inference: toInference(model.url), memory: { dreaming: { enabled: true } } },
    })
    onTestFinished(() => service.stop())
    const { pid = 0 } = service
    const dreams = await planDreams(service)

    const { savedIds, last } = await fill(service)
    expect(last).toMatchObject({ status: 503, body: { code: 'storage_full' } })
    expect((await service.ask('GET /health/live')).status).toBe(200)
    await dreams.expectRefused()
    const prompt = {
      harness: 'codex',
      sessionKey: 'one',
      userMessage: 'which disk '.repeat(50_000),
    }
    expect(await service.ask('POST /api/hooks/user-prompt-submit', { body: prompt })).toMatchObject(
      {
        status: 200,
        body: { warnings: ['The disk is full: this prompt was not stored.'] },
      },
    )
    await expectAnswers(service)
    const requests = model.requests.length
    expect(await callWithBudget(service)).toMatchObject({
      status: 503,
      body: { code: 'storage_full' },
    })
    expect(model.requests.length).toBe(requests)
    const copy = await makeFolder()
    await copyDisk(pid, workspace, copy)
    expect(inspectDatabase(copy)).toEqual([])

    resizeDisk(pid, workspace, 64)
    const body = { content: 'room again' }
    expect((await service.ask('POST /api/memory/remember', { body })).status).toBe(200)
    await forEachOf(savedIds, async (id) => {
      expect((await service.ask(`GET /api/memory/${id}`)).status).toBe(200)
    })
    expect((await service.ask('GET /api/memories')).body['stats']).toMatchObject({
      total: savedIds.length + 1 + dreams.count,
    })
    await dreams.expectApplied()
    expect((await callWithBudget(service)).status).toBe(200)
    expect(await readInference(service)).toMatchObject({
      budgets: [{ id: 'poor', used: { tokens: 15 }, reserved: { tokens: 0 } }],
      events: expect.arrayContaining([expect.objectContaining({ agentId: 'poor', success: true })]),
    })
  },
)

test.skipIf(!canMount())(
  'a daemon that cannot start on a full disk names the folder and the required space',
  async () => {
    const workspace = await makeFolder()

    const { output } = await launchFailing({ workspace, limit: onSmallDisk(1) })

    expect(output).toContain(`The disk of ${workspace} is full: free at least 64 MB there`)
  },
)

describe.skipIf(!canMount())('an existing workspace on a full disk', async () => {
  const content = 'the heron waits at the weir'
  const createWorkspace = async () => {
    const workspace = await makeFolder()
    const service = await startService({ workspace, engine: 'sqlite' })
    const { body } = await service.ask('POST /api/memory/remember', { body: { content } })
    await service.stop()
    return { workspace, id: String(body['id']) }
  }

  test('starts, serves reads and refuses writes', async () => {
    const { workspace, id } = await createWorkspace()

    const service = await startService({ workspace, engine: 'sqlite', limit: onFullDisk(160) })
    onTestFinished(() => service.stop())

    expect((await fill(service)).last).toMatchObject({
      status: 503,
      body: { code: 'storage_full' },
    })
    expect(await service.ask(`GET /api/memory/${id}`)).toMatchObject({
      status: 200,
      body: { content },
    })
    const settings = await service.ask('GET /api/settings', { role: 'admin' })
    const changes = [{ key: 'git.syncInterval', value: 31 }]
    const body = { changes, hash: settings.body['hash'] }
    const file = join(workspace, 'agent.yaml')
    const before = await readFile(`/proc/${service.pid}/root${file}`, 'utf8')
    expect(await service.ask('POST /api/settings', { role: 'admin', body })).toMatchObject({
      status: 503,
      body: { code: 'storage_full' },
    })
    expect(await readFile(`/proc/${service.pid}/root${file}`, 'utf8')).toBe(before)
    const recall = await service.ask('POST /api/memory/recall', { body: { query: 'heron weir' } })
    expect(JSON.stringify(recall)).toContain(content)
    expect((await service.ask('GET /api/memories')).status).toBe(200)
    const prompt = { harness: 'codex', sessionKey: 'one', userMessage: 'where is the heron' }
    expect((await service.ask('POST /api/hooks/user-prompt-submit', { body: prompt })).status).toBe(
      200,
    )
  })

  test('without any free space names the folder and the space it needs', async () => {
    const { workspace } = await createWorkspace()

    const { output } = await launchFailing({ workspace, limit: onFullDisk(0) })

    expect(output).toContain(`The disk of ${workspace} is full: free at least 64 MB there`)
  })
})

/** A plan of Dreaming that is applied on the full disk, and again when there is space. */
async function planDreams(service: Service) {
  const ask = (operation: string, body?: object) =>
    service.ask(operation, { role: 'admin', ...(body && { body }) })
  const names = 'Maud Ines Carl Dora Emil Faye Gina Hugo'.split(' ')
  const people = names.flatMap((name) =>
    ['Reyes', 'Brandt', 'Okafor'].map((last) => `${name} ${last}`),
  )
  for (const who of people) {
    const body = { content: `I live in Lisbon. ${who} says so.`, who }
    expect((await service.ask('POST /api/memory/remember', { body })).status).toBe(200)
  }
  const readStates = async (id: string) => {
    const { body } = await ask(`GET /api/dream/passes/${id}`)
    const operations = body['operations'] as readonly { readonly state: string }[]
    return { status: Object(body['pass']).status, states: operations.map(({ state }) => state) }
  }
  const dream = async (body: object) => {
    const reply = await ask('POST /api/dream/trigger', body)
    const passId = String(reply.body['passId'])
    if (reply.status === 202)
      await expect
        .poll(async () => (await readStates(passId)).status, { timeout: 20_000 })
        .not.toBe('running')
    return { passId, status: reply.status }
  }
  const countEntities = async () =>
    Object((await ask('GET /api/dream/quality')).body['graphGarbageRate']).totalEntities
  const { passId } = await dream({ dryRun: true })
  const planned = (await readStates(passId)).states
  expect(planned.length).toBeGreaterThan(20)
  return {
    count: people.length,
    expectRefused: async () => {
      const applied = await ask(`POST /api/dream/passes/${passId}/apply`, {})
      expect(applied).toMatchObject({ status: 503, body: { code: 'storage_full' } })
      expect((await readStates(passId)).states).toEqual(planned)
      expect(await countEntities()).toBe(0)
    },
    expectApplied: async () => {
      await ask(`POST /api/dream/passes/${passId}/apply`, {})
      expect((await readStates(passId)).states).toEqual(planned.map(() => 'applied'))
      expect((await dream({})).status).toBe(202)
    },
  }
}

const toInference = (url: string) => ({
  budgets: { poor: { agent: 'poor', maxTokens: 10_000 } },
  targets: {
    a: { executor: 'openai-compatible', endpoint: `${url}/v1`, models: { m: { model: 'm' } } },
  },
})

/** Each call of a model is answered, although its use cannot be written. */
async function expectAnswers(service: Service) {
  const body = { prompt: 'Is there room?' }
  // Small writes fit into the file of the log for a while.
  for (let call = 0; call < 100 && !service.output().includes('usage write failed'); call++)
    expect(await service.ask('POST /api/inference/execute', { body, role: 'admin' })).toMatchObject(
      {
        status: 200,
        body: { text: 'Hello from the model.' },
      },
    )
  expect(service.output()).toContain('usage write failed')
}

/** The reservation of a budget is a write that must precede the call. */
const callWithBudget = (service: Service) =>
  service.ask('POST /api/inference/execute', {
    body: { prompt: 'Is there room?', agentId: 'poor' },
    role: 'admin',
  })

async function readInference(service: Service) {
  const status = await service.ask('GET /api/inference/status', { role: 'admin' })
  const history = await service.ask('GET /api/inference/history', { role: 'admin' })
  return { ...status.body, ...history.body }
}

/** Saves memories until a refusal; returns the saved memories and the refusal. */
async function fill(service: Service) {
  const savedIds: string[] = []
  for (let turn = 0; ; turn++) {
    const content = `turn ${turn} ${'words to fill the disk '.repeat(1000)}`
    const reply = await service.ask('POST /api/memory/remember', { body: { content } })
    if (reply.status === 200 && turn < 2000) savedIds.push(String(reply.body['id']))
    else {
      expect(JSON.stringify(reply.body)).not.toMatch(/SQLITE|disk I\/O/)
      return { savedIds, last: reply }
    }
  }
}
