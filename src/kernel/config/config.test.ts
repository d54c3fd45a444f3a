import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { aliases } from './aliases.ts'
import { parseConfig, readConfig } from './config.ts'
import { readEnvironment } from './environment.ts'
import { createLiveConfig } from './live-config.ts'
import { defineSettings } from './settings.ts'

const tea = defineSettings(
  'tea',
  z.object({ sugar: z.int().default(0), steepMs: z.int().default(1) }).prefault({}),
  { restart: ['steepMs'] },
)
const sections = [tea]

async function makeWorkspace(text?: string) {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-config-'))
  onTestFinished(() => rm(workspace, { recursive: true }))
  const file = join(workspace, 'agent.yaml')
  if (text !== undefined) await writeFile(file, text)
  return { workspace, file, environment: readEnvironment({ SVC_PATH: workspace }) }
}

test('applies defaults, and variables override the file', async () => {
  const { workspace, environment } = await makeWorkspace('auth: { mode: team }\n')

  const { listen, kernel, sections: values } = await readConfig(environment, sections)
  const given = { SVC_PATH: workspace, SVC_AUTH_MODE: 'hybrid', SVC_PORT: '' }
  const other = await readConfig(readEnvironment(given), sections)

  expect([listen, kernel.auth.mode, Object.fromEntries(values)]).toEqual([
    { host: '127.0.0.1', port: 3850 },
    'team',
    { tea: { sugar: 0, steepMs: 1 } },
  ])
  expect([other.listen.port, other.kernel.auth.mode]).toEqual([3850, 'hybrid'])
})

test.each([
  [{ SVC_PORT: 'eighty' }, 'SVC_PORT must be a whole number from 0 to 65535'],
  [{ SVC_PORT: '70000' }, 'SVC_PORT must be a whole number from 0 to 65535'],
  [{ SVC_AUTH_MODE: 'open' }, 'SVC_AUTH_MODE must be one of local, team, hybrid.'],
  [{ SVC_DATABASE_URL: 'mysql://me:word@db/x' }, 'SVC_DATABASE_URL must be an address'],
  [{ SVC_AGENT_ID: '../up' }, 'SVC_AGENT_ID must be 1 to 64 letters'],
])('reports %j with its remedy, in one line and without its value', (given, message) => {
  expect(() => readEnvironment(given)).toThrow(message)
  expect(() => readEnvironment(given)).toThrow(/^[^\n]*$/)
  expect(() => readEnvironment(given)).not.toThrow('word@')
})

test.each([
  ['auth: [', /^agent\.yaml is not YAML: [^\n]*$/],
  ['just words', /^agent\.yaml must hold settings/],
  ['auth: { mode: open }', /^agent\.yaml: auth\.mode: /],
  ['tea: { sugar: some }', /^agent\.yaml: tea\.sugar: /],
])('refuses %j in one line', async (text, message) => {
  const { environment } = await makeWorkspace(text)

  await expect(readConfig(environment, sections)).rejects.toThrow(message)
})

async function makeLive(text: string, host: Pick<Host, 'sleep'> = fixedHost()) {
  const { file, environment } = await makeWorkspace(text)
  const changed = Promise.withResolvers<readonly string[]>()
  const problems: string[] = []
  const live = createLiveConfig({
    started: await readConfig(environment, sections),
    environment,
    sections,
    host,
    onProblem: (problem) => problems.push(problem),
    onFault: changed.reject,
  })
  live.onChange(({ sections }) => changed.resolve(sections))
  return { file, live, problems, changed: changed.promise }
}

test('an invalid file keeps the last valid settings and is reported once', async () => {
  const { file, live, problems } = await makeLive('tea: { sugar: 1 }')

  await writeFile(file, 'tea: {')
  await live.reload()
  await live.reload()
  expect([live.read(tea).sugar, problems]).toEqual([1, [live.problem()]])

  await writeFile(file, 'tea: { sugar: 2 }')
  await live.reload()
  expect([live.read(tea).sugar, live.problem()]).toEqual([2, undefined])
})

test('reads a file only after its writer has finished', async () => {
  const parts = ['tea: {', ' sugar: 2', ' }']
  const { file, live, problems } = await makeLive('', {
    sleep: async () => {
      const [part] = parts.splice(0, 1)
      if (part !== undefined) await appendFile(file, part)
    },
  })

  await live.reload()

  expect([live.read(tea).sugar, problems]).toEqual([2, []])
})

test('reports settings that wait for a restart without applying them', async () => {
  const { file, live } = await makeLive('auth: { mode: local }')

  await writeFile(file, 'auth: { mode: team }\ndatabase: { url: "postgres://db/x" }')
  await live.reload()

  expect(live.waiting()).toEqual(['auth.mode', 'database.url'])
  expect(live.current().kernel.auth.mode).toBe('local')
  expect(live.examine(file, 'auth: { mode: team }')).toMatchObject({ waiting: ['auth.mode'] })
  expect(live.examine(file, 'auth: [')).toMatchObject({ problem: expect.any(String), waiting: [] })
})

test('a restart setting of a capability waits for a restart', async () => {
  const { file, live } = await makeLive('')

  await writeFile(file, 'tea: { sugar: 2, steepMs: 3 }')
  await live.reload()

  expect(live.waiting()).toEqual(['tea.steepMs'])
  expect(live.examine(file, 'tea: { steepMs: 1 }')).toMatchObject({ waiting: [] })
})

test.each([
  [{ SVC_AUTH_MODE: 'team' }, 'auth: { mode: local }', 'SVC_AUTH_MODE', 'auth.mode'],
  [{ SVC_LOG_LEVEL: 'warn' }, 'logging: { level: info }', 'SVC_LOG_LEVEL', 'logging.level'],
  [{ SVC_LOG_DIR: 'other' }, 'logging: { dir: logs }', 'SVC_LOG_DIR', 'logging.dir'],
  [
    { SVC_DATABASE_URL: 'postgres://a/x' },
    'database: { url: "postgres://b/x" }',
    ...(['SVC_DATABASE_URL', 'database.url'] as const),
  ],
  [
    { SVC_TELEMETRY_OPTOUT: 'true' },
    'telemetry: { enabled: true }',
    ...(['SVC_TELEMETRY_OPTOUT', 'telemetry.enabled'] as const),
  ],
])('%j overrides %s', async (variables, text, variable, setting) => {
  const { workspace } = await makeWorkspace(text)
  const overriddenWith = async (given: Readonly<Record<string, string>>) =>
    (await readConfig(readEnvironment({ SVC_PATH: workspace, ...given }), sections)).overridden

  expect(await overriddenWith(variables)).toEqual([{ variable, setting }])
  expect(await overriddenWith({})).toEqual([])
})

test('a variable that equals the file, or has no value in it, overrides nothing', async () => {
  const { workspace } = await makeWorkspace('auth: { mode: team }')
  const given = { SVC_PATH: workspace, SVC_AUTH_MODE: 'team', SVC_LOG_LEVEL: 'warn' }

  expect((await readConfig(readEnvironment(given), sections)).overridden).toEqual([])
})

test('detects a replaced file, notifies listeners and freezes the new values', async () => {
  const { file, live, changed } = await makeLive('tea: { sugar: 1 }')
  live.watch()
  onTestFinished(() => live.close())

  await writeFile(`${file}.new`, 'tea: { sugar: 3 }')
  await rename(`${file}.new`, file)

  expect(await changed).toEqual(['tea'])
  expect(live.read(tea).sugar).toBe(3)
  expect(Object.isFrozen(live.read(tea))).toBe(true)
})

test.each([
  ['log: { level: debug }', [{ key: 'log.level', nearest: 'logging.level' }]],
  ['tea: { suger: 1 }', [{ key: 'tea.suger', nearest: 'tea.sugar' }]],
  ['completely: different', [{ key: 'completely', nearest: null }]],
  ['tea: { sugar: 1 }', []],
])('%j reports unknown settings with the nearest known one', async (text, unknownSettings) => {
  const { file, live } = await makeLive('')

  expect(live.examine(file, text).unknownSettings).toEqual(unknownSettings)
})

const sweeps = defineSettings(
  'sessions',
  z.object({ sweepBatchSize: z.int().default(10) }).prefault({}),
)

test.each([
  ['sessions: { closeAtOnce: 3 }', 3],
  ['sessions: { closeAtOnce: 3, sweepBatchSize: 4 }', 4],
])('reads %j under the new name of the setting and reports it', (text, expected) => {
  const environment = readEnvironment({})
  const config = parseConfig({ environment, file: 'agent.yaml', text }, [sweeps])

  expect(config.sections.get('sessions')).toEqual({ sweepBatchSize: expected })
  expect(config.renamedSettings).toEqual([
    { key: 'sessions.closeAtOnce', replacement: 'sessions.sweepBatchSize' },
  ])
  expect(config.unknownSettings).toEqual([])
})

test('a file without old names reports no renamed settings', () => {
  const environment = readEnvironment({})
  const read = (text: string) => parseConfig({ environment, file: 'agent.yaml', text }, [tea])

  expect(read('tea: { sugar: 2 }')).toMatchObject({ renamedSettings: [], unknownSettings: [] })
  for (const key of Object.keys(aliases))
    expect(read(`${key.split('.')[0]}: 7`).renamedSettings).toEqual([])
})
