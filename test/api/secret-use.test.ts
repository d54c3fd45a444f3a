import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { listMarks } from '../support/list-places-holding.ts'
import { startModelUpstream } from '../support/model-upstream.ts'
import { formsOf } from '../support/secret-forms.ts'
import { type Ask, startService } from '../support/start-service.ts'

const values = {
  EMBED_KEY: ['synthetic', 'embed', 'Sedge-6621'].join('-'),
  MODEL_KEY: ['synthetic', 'model', 'Rush-3385'].join('-'),
}
const [embeddingProvider, modelProvider] = [await startModelUpstream(), await startModelUpstream()]
const service = await startService({
  config: {
    outbound: { allow: [embeddingProvider.url] },
    embedding: {
      provider: 'openai',
      model: 'model-e',
      base_url: `${embeddingProvider.url}/v1`,
      api_key: '$secret:EMBED_KEY',
    },
    inference: {
      accounts: { stored: { credentialRef: '$secret:MODEL_KEY' } },
      targets: {
        a: {
          executor: 'openai-compatible',
          account: 'stored',
          endpoint: `${modelProvider.url}/v1`,
          models: { m: { model: 'model-a' } },
        },
      },
      policies: { auto: { mode: 'strict', defaultTargets: ['a/m'] } },
    },
  },
})
afterAll(async () => {
  await service.stop()
  await Promise.all([embeddingProvider.stop(), modelProvider.stop()])
})

const replies: string[] = []

async function ask(call: string, more: Ask = {}) {
  const reply = await service.ask(call, { role: 'admin', ...more })
  replies.push(JSON.stringify([[...reply.headers], reply.body]))
  return reply
}

const bearersAt = ({ requests }: typeof modelProvider) => [
  ...new Set(requests.map(({ headers }) => headers.authorization)),
]
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 20_000 })
const execute = () => ask('POST /api/inference/execute', { body: { prompt: 'sedge and rush' } })

beforeAll(async () => {
  for (const [name, value] of Object.entries(values))
    await ask(`POST /api/secrets/${name}`, { body: { value } })
  // The check of the provider at the start is cached for a while.
  await service.restart()
})

test('a stored key of the embedding provider is sent to it', async () => {
  const body = { content: 'Sedge grows at the edge of the pond.' }
  await ask('POST /api/memory/remember', { body })

  await eventually(() => bearersAt(embeddingProvider)).toEqual([`Bearer ${values.EMBED_KEY}`])
})

test('a stored key of an inference account is sent to its provider', async () => {
  expect((await execute()).status).toBe(200)
  expect(bearersAt(modelProvider)).toEqual([`Bearer ${values.MODEL_KEY}`])
})

test('a replaced key is sent from the next call on, and one without a value fails the call', async () => {
  const value = `${values.MODEL_KEY}-next`
  await ask('POST /api/secrets/MODEL_KEY', { body: { value } })
  expect((await execute()).status).toBe(200)
  expect(modelProvider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${value}`)

  const count = modelProvider.requests.length
  await ask('DELETE /api/secrets/MODEL_KEY')
  expect((await execute()).status).toBeGreaterThanOrEqual(400)
  expect(modelProvider.requests).toHaveLength(count)
  await ask('POST /api/secrets/MODEL_KEY', { body: { value: values.MODEL_KEY } })
})

test('a refusal of the provider that repeats the key does not show it', async () => {
  modelProvider.fail('repeated key')
  const { status } = await execute()
  modelProvider.fail()

  expect(status).toBeGreaterThanOrEqual(400)
})

test.runIf(process.platform === 'linux')(
  'no process argument of the machine has the value of a secret in use',
  async () => {
    const command = `'${process.execPath}' -e 'setInterval(() => {}, 600000)' sedge-in-use`
    const body = { command, secrets: { SEDGE: 'EMBED_KEY' } }
    expect((await ask('POST /api/secrets/exec', { body })).status).toBe(202)
    const isUser = ({ words }: ProcessInfo) => words.endsWith('sedge-in-use\0')
    await eventually(async () => (await listProcesses()).filter(isUser)).toHaveLength(1)

    const processes = await listProcesses()
    const [user] = processes.filter(isUser)
    expect(await readFile(`/proc/${user?.id}/environ`, 'utf8')).toContain(
      `SEDGE=${values.EMBED_KEY}`,
    )
    const words = processes.map((info) => info.words).join('\n')
    expect(listMarks(words, Object.values(values).flatMap(formsOf))).toEqual([])
  },
)

interface ProcessInfo {
  readonly id: string
  /** The arguments, each with NUL behind it. */
  readonly words: string
}

async function listProcesses(): Promise<readonly ProcessInfo[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = ids.map(async (id) => ({
    id,
    words: await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
  }))
  return await Promise.all(read)
}

test('the keys are in no reply, file, table or log', async () => {
  for (const call of [
    'GET /api/config',
    'GET /health/ready',
    'GET /api/embeddings/status',
    'GET /api/inference/status',
    'GET /api/logs',
    'GET /api/secrets',
  ])
    expect((await ask(call)).status).toBe(200)

  expect(replies.join('\n')).toContain('$secret:MODEL_KEY')
  await expectNoLeak(service, Object.values(values), replies)
})
