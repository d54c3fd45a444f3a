import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../kernel/config/config.ts'
import { readEnvironment } from '../../kernel/config/environment.ts'
import { createLiveConfig } from '../../kernel/config/live-config.ts'
import { defineSettings } from '../../kernel/config/settings.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createLog } from '../../kernel/log/log.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { changeSettings } from './change.ts'
import { describeSettings } from './describe.ts'
import { readSettings } from './read.ts'

const search = defineSettings(
  'search',
  z
    .object({
      top_k: z.int().min(1).max(200).default(20),
      index: z.enum(['auto', 'memory']).default('auto'),
    })
    .prefault({}),
  { restart: ['index'] },
)
const embedding = defineSettings(
  'embedding',
  z.object({ api_key: z.string().optional() }).prefault({}),
)
const updates = defineSettings(
  'updates',
  z.object({ channel: z.enum(['stable', 'nightly']).default('stable') }).prefault({}),
)

const text = `# mine
search: # how
  top_k: 30 # many
embedding:
  api_key: tea-and-cake-and-lemon # private
`

async function open(fileText: string | null = text, env: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.yaml')
  if (fileText !== null) await writeFile(file, fileText)
  const environment = readEnvironment({ SVC_PATH: folder, ...env })
  const sections = [search, embedding, updates]
  const host = { ...manualClockHost(), sleep: async () => {} }
  const started = await readConfig(environment, sections)
  const onFault = (error: unknown) => {
    throw error
  }
  const options = { started, environment, sections, host, onProblem: () => {}, onFault }
  const config = createLiveConfig(options)
  const needs = { folder, config, locks: createFileLocks(host), log: createLog('silent') }
  const change = async (key: string, value: unknown, dryRun = false) => {
    const { hash } = await readSettings(needs)
    return changeSettings(needs, { changes: [{ key, value }], hash, dryRun })
  }
  return { file, config, needs, change, read: () => readFile(file, 'utf8') }
}

test('describes each setting with description, default, unit, variable and restart', async () => {
  const { needs } = await open()

  const { properties } = describeSettings(needs)

  expect(properties['search.top_k']).toMatchObject({
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 20,
    description: expect.stringContaining('maximum candidates'),
    'x-restart': false,
  })
  expect(properties['search.index']).toMatchObject({ enum: ['auto', 'memory'], 'x-restart': true })
  expect(properties['auth.mode']).toMatchObject({ 'x-environment': 'SVC_AUTH_MODE' })
  expect(properties['auth.defaultTokenTtlSeconds']).toMatchObject({ 'x-unit': 'seconds' })
  expect(properties['auth.rateLimits']).toMatchObject({ additionalProperties: expect.anything() })
})

test('lists values with their sources and shows no credential', async () => {
  const { needs } = await open(text, {
    SVC_LOG_LEVEL: 'warn',
    SVC_DATABASE_URL: 'postgres://ada:sugar@db.example/tea',
  })

  const { values, file } = await readSettings(needs)

  expect(file).toBe('agent.yaml')
  expect(values).toMatchObject({
    'search.top_k': { value: 30, source: 'file' },
    'search.index': { value: 'auto', source: 'default' },
    'logging.level': { value: 'warn', source: 'environment' },
    'embedding.api_key': { value: { set: true }, source: 'file' },
    'database.url': { value: { set: true }, source: 'environment' },
    'server.allowedHosts': { value: [], source: 'default' },
  })
  expect(JSON.stringify(values)).not.toMatch(/lemon|sugar/)
})

test('a change keeps every other byte of the file and takes effect', async () => {
  const { change, config, read } = await open()

  const changed = await change('search.top_k', 50)

  expect(changed).toMatchObject({
    diff: [{ key: 'search.top_k', before: 30, after: 50 }],
    issues: [],
    restartRequired: [],
    saved: true,
  })
  expect(await read()).toBe(text.replace('30', '50'))
  expect(config.read(search).top_k).toBe(50)
  expect((await change('search.index', 'memory')).restartRequired).toEqual(['search.index'])
})

test('null takes a key and its old names out, with the section that it leaves empty', async () => {
  const { change, read } = await open(`update:\n  channel: nightly\n${text}`)

  expect(await change('embedding.api_key', null)).toMatchObject({
    diff: [{ before: { set: true }, after: null }],
  })
  await change('updates.channel', null)
  expect(await read()).toBe('# mine\nsearch: # how\n  top_k: 30 # many\n')
})

test('a list and a map are set as a whole', async () => {
  const { change, needs } = await open(null)

  await change('server.allowedHosts', ['tea.example'])
  await change('auth.rateLimits', { admin: { max: 5 } })
  await change('auth.rateLimits.login.max', 3)

  expect((await readSettings(needs)).values).toMatchObject({
    'server.allowedHosts': { value: ['tea.example'] },
    'auth.rateLimits': { value: { admin: { max: 5 }, login: { max: 3 } } },
  })
})

test('a dry run returns the diff and the issues and saves nothing', async () => {
  const { change, read } = await open()

  const valid = await change('search.top_k', 50, true)
  const invalid = await change('search.top_k', 'many', true)

  expect(valid).toMatchObject({ diff: [{ after: 50 }], issues: [], saved: false })
  expect(invalid).toMatchObject({ issues: [{ key: 'search.top_k' }], saved: false })
  expect(await read()).toBe(text)
})

test.each([
  ['an invalid value', 'search.top_k', 900, /200/],
  ['an unknown key with its nearest', 'search.topk', 9, /Did you mean search\.top_k/],
  ['an unknown part of a section', 'search', { topk: 9 }, /Did you mean search\.top_k/],
  ['a key below a value', 'search.top_k.more', 9, /is a value and no section/],
])('refuses %s with its issue', async (_, key, value, message) => {
  const { change, read } = await open()

  await expect(change(key, value)).rejects.toMatchObject({
    code: 'invalid_settings',
    details: { issues: [{ message: expect.stringMatching(message) }] },
  })
  expect(await read()).toBe(text)
})

test('refuses the hash of an older file', async () => {
  const { file, needs, read } = await open()
  const { hash } = await readSettings(needs)
  await writeFile(file, `${text}# hers\n`)
  const changes = [{ key: 'search.top_k', value: 9 }]

  for (const dryRun of [true, false])
    await expect(changeSettings(needs, { changes, hash, dryRun })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'settings_changed',
    })
  expect(await read()).toBe(`${text}# hers\n`)
})

test('refuses a key that a variable or another operation sets, and a broken file', async () => {
  const { change, file } = await open(text, { SVC_LOG_LEVEL: 'warn' })

  await expect(change('logging.level', 'info')).rejects.toMatchObject({
    code: 'setting_held',
    message: expect.stringContaining('SVC_LOG_LEVEL'),
  })
  await expect(change('logging', {})).rejects.toMatchObject({ code: 'setting_held' })
  await expect(change('memory.pipelineV2.paused', true)).rejects.toMatchObject({
    code: 'pipeline_setting',
  })
  await writeFile(file, 'search: [')
  await expect(change('search.top_k', 9)).rejects.toMatchObject({ code: 'settings_broken' })
})

test('a new file is readable only by its owner', async () => {
  const { change, file } = await open(null)

  await change('search.top_k', 9)

  expect((await stat(file)).mode & 0o777).toBe(0o600)
})
