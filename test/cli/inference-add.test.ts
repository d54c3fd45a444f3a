import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startModelUpstream } from '../support/model-upstream.ts'
import { runAtTerminal } from '../support/run-at-terminal.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const upstream = await startModelUpstream()
const service = await startService({ mode: 'local', engine: 'sqlite' })
afterAll(async () => {
  await service.stop()
  await upstream.stop()
})
afterEach(() => upstream.fail())
const { run, json, env } = reverieOf(service, 'admin')
const readSettings = () => readFile(join(service.workspace, 'agent.yaml'), 'utf8')
const add = (...args: readonly string[]) => ['inference', 'add', ...args]
const key = ['synthetic', 'key', 'of', 'moss'].join('-')

test('a local model is added, tested, and joined by a second one', async () => {
  const at = ['--endpoint', upstream.url, '--name', 'home']
  const first = await run(add('ollama', '--model', 'qwen3:8b', ...at))
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('home/qwen3:8b answers')])

  expect(await json(add('ollama', '--model', 'tiny', ...at))).toMatchObject({
    targetRef: 'home/tiny',
    credentialRef: null,
    test: { model: 'tiny', inputTokens: 10 },
  })
  const { stdout } = await run(['inference', 'status'])
  expect(stdout).toMatch(/home\/qwen3:8b[\s\S]*home\/tiny/)
})

test('a key from stdin becomes a secret, comments stay, and the key is shown nowhere', async () => {
  const before = `# a comment\n${await readSettings()}`
  await service.ask('POST /api/config', { body: { file: 'agent.yaml', content: before } })
  const args = add('openai', '--model', 'gpt', '--endpoint', `${upstream.url}/v1`, '--key-stdin')

  const { code, stdout, stderr } = await run(args, `${key}\n`)

  expect(code).toBe(0)
  expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
  const settings = await readSettings()
  expect(settings).toMatch(/^# a comment\n[\s\S]*\$secret:MODEL_KEY_OPENAI/)
  expect(stdout + stderr + settings).not.toContain(key)
})

test('a variable is named, not read, and --no-test makes no call', async () => {
  const before = upstream.requests.length
  const options = ['--key-env', 'MOSS_KEY', '--no-test']
  const { code, stdout } = await run(add('anthropic', '--model', 'claude', ...options))

  expect([code, stdout]).toEqual([0, expect.stringContaining('inference test anthropic/claude')])
  expect(await readSettings()).toContain('credentialRef: $env:MOSS_KEY')
  expect(upstream.requests.length).toBe(before)
})

test('a failed call exits with 1 and keeps the entry', async () => {
  upstream.fail({ status: 500, message: 'The fake provider has a fault.' })
  const at = ['--endpoint', `${upstream.url}/v1`, '--name', 'broken']

  const { code, stderr } = await run(add('openai-compatible', '--model', 'large', ...at))

  expect([code, stderr]).toEqual([1, expect.stringContaining('has a fault')])
  expect(await readSettings()).toContain('broken:')
})

test('without a terminal a missing value, and a name of another provider, change nothing', async () => {
  const before = await readSettings()
  const runs = [
    await run(add('ollama')),
    await run(add('openai', '--model', 'gpt')),
    await run(add('openai-compatible', '--model', 'gpt')),
    await run(add('absent', '--model', 'gpt')),
    await run(add('openai', '--model', 'gpt', '--key-stdin'), '\n'),
    await run(add('ollama', '--model', 'gpt', '--name', 'openai')),
  ]

  expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 6])
  expect(await readSettings()).toBe(before)
})

test('the model is typed at a terminal', async () => {
  const args = add('ollama', '--endpoint', upstream.url, '--name', 'typed')
  const how = { env, prompt: 'Name of the model', keys: 'typed\r' }
  const { code, screen } = await runAtTerminal(args, how)

  expect([code, screen]).toEqual([0, expect.stringContaining('typed/typed answers')])
})
