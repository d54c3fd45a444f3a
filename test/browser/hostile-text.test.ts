import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isLong, sampleRounds } from '../support/load.ts'
import { removeFolder } from '../support/make-folder.ts'
import { startModelUpstream } from '../support/model-upstream.ts'
import { startService } from '../support/start-service.ts'
import { openPage, waitUntilLoaded } from './open-page.ts'
import { payloads } from './payloads.ts'
import {
  allPayloads,
  hostileEntity,
  hostilePlugin,
  hostileSession,
  plantHostile,
  writeHarness,
} from './plant-hostile.ts'

const files = await mkdtemp(join(tmpdir(), 'reverie-hostile-'))
await writeHarness(files)
const upstream = await startModelUpstream()
const script = '<script>globalThis.broken = 1</script>'
const models = { m: { model: script } }
const service = await startService({
  mode: 'local',
  env: { PATH: `${files}:/usr/bin:/bin` },
  config: {
    inference: {
      targets: { near: { executor: 'openai-compatible', endpoint: `${upstream.url}/v1`, models } },
      policies: { auto: { mode: 'strict', defaultTargets: ['near/m'] } },
    },
    // Values of settings.
    memory: { dreaming: { enabled: true, tickMs: 3_600_000 } },
    dashboard: { unknown: script },
    [script]: script,
  },
})
afterAll(async () => {
  await service.stop()
  await upstream.stop()
  await removeFolder(files)
})

const planted = isLong ? payloads : payloads.filter((_, index) => index % 8 === 0)

beforeAll(async () => {
  await plantHostile(service, files, planted)
  upstream.fail({ status: 500, message: allPayloads })
  const { body } = await ask('POST /api/dream/trigger', { dryRun: true, engine: 'model' })
  const pass = `GET /api/dream/passes/${String(body['passId'])}`
  const readStatus = async () => Object((await ask(pass)).body['pass'])['status']
  await vi.waitUntil(async () => (await readStatus()) !== 'running', { timeout: 30_000 })
  const { body: task } = await ask('POST /api/tasks', {
    name: 'Prints',
    prompt: allPayloads,
    harness: 'kimi',
    cronExpression: '0 0 1 1 *',
  })
  await ask(`POST /api/tasks/${String(task['id'])}/run`, {})
}, 120_000)

function ask(operation: string, body?: object) {
  return service.ask(operation, { agent: 'default', ...(body && { body }) })
}

/** The paths of the first items of a list. */
async function listPaths(operation: string, name: string, count = 1): Promise<readonly string[]> {
  const { body } = await ask(operation)
  const items = body[name] as readonly { readonly id: string }[]
  return items.slice(0, count).map(({ id }) => encodeURIComponent(id))
}

const session = `/ui/sessions/${hostileSession}`
const entity = `/ui/knowledge/${encodeURIComponent(hostileEntity)}`
/** Where texts from outside are shown, and whether one of them must be in view. */
const views: readonly (readonly [path: string, isSeen: boolean])[] = [
  ['/', true],
  ['/ui/memories', true],
  ['/ui/sessions', true],
  [session, true],
  [`${session}/blackbox`, false],
  [`${session}/summary`, false],
  [`/ui/sessions/${encodeURIComponent(script)}`, true],
  ['/ui/knowledge', true],
  [entity, true],
  // Names that look like markup are left out of the picture.
  ['/ui/knowledge/graph', false],
  ['/ui/knowledge/proposals', true],
  ['/ui/knowledge/conflicts', false],
  ['/ui/knowledge/hygiene', false],
  ['/ui/dreaming', false],
  ['/ui/map', false],
  ['/ui/sources', true],
  ['/ui/extensions', true],
  ['/ui/skills/hostile', true],
  [`/ui/plugins/${hostilePlugin}`, true],
  ['/ui/inference', false],
  ['/ui/agents', true],
  ['/ui/secrets', false],
  ['/ui/operations', false],
  ['/ui/operations/logs', true],
  ['/ui/settings', false],
  ['/ui/settings/files/agent.yaml', true],
  ['/ui/settings/files/IDENTITY.md', true],
]

/** Elements, handlers and addresses that only a payload would make. */
const findTraces = `(() => {
  const foreign = 'script, iframe, object, embed, img, base, link, style, form[action], math, video'
  const elements = [...document.querySelectorAll('#root :is(' + foreign + ')')]
  const attributes = [...document.querySelectorAll('#root *')].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) =>
      name.startsWith('on') || (/^(?:href|src)$/.test(name) && !/^(?:\\/|#)/.test(value))))
  return [
    ...elements.map(({ outerHTML }) => outerHTML),
    ...attributes.map(({ name, value }) => name + '=' + value),
    ...(globalThis.broken === undefined && ({}).broken === undefined ? [] : ['broken']),
  ]
})()`

async function expectNoTrace(page: Page): Promise<void> {
  expect(await page.evaluate(findTraces), page.url()).toEqual([])
}

/** Log lines come from many parts; one reply of the service stands for all. */
async function replyWithLogs(page: Page): Promise<void> {
  const timestamp = new Date().toISOString()
  const logs = payloads.map((text) => ({ timestamp, level: 'info', category: text, message: text }))
  await page.route('**/api/logs?*', (route) =>
    route.fulfill({ json: { logs, count: logs.length } }),
  )
}

test('shows hostile text as it is written, in every field', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/memories` })
  await replyWithLogs(page)
  await waitUntilLoaded(page)
  const text = await page.getByRole('list', { name: 'Memories' }).textContent()
  expect(text).toContain(script)
  for (const mark of ['U+202E', 'U+200B', 'U+2066', 'U+0007', 'U+E0041', 'U+E000'])
    expect(text).toContain(mark)

  const count = isLong ? 5 : 1
  const details = [
    ...(await listPaths('GET /api/memories', 'memories', count)).map((id) => `/ui/memories/${id}`),
    ...(await listPaths('GET /api/documents', 'documents', count)).map(
      (id) => `/ui/documents/${id}`,
    ),
    ...(await listPaths('GET /api/tasks', 'tasks', count)).map((id) => `/ui/tasks/${id}`),
    ...(await listPaths('GET /api/sources', 'sources')).map((id) => `/ui/sources/${id}`),
    ...(await listPaths('GET /api/sources/imports', 'imports')).map((id) => `/ui/imports/${id}`),
    ...(await listPaths('GET /api/ontology/proposals', 'items')).map(
      (id) => `/ui/knowledge/proposals/${id}`,
    ),
    ...(await listPaths('GET /api/inference/history', 'events')).map(
      (id) => `/ui/inference/history/${id}`,
    ),
  ].map((path) => [path, false] as const)
  const unseen: string[] = []
  for (const [path, isSeen] of [...sampleRounds(views, 5), ...details]) {
    await page.goto(service.url + path)
    await waitUntilLoaded(page)
    await expectNoTrace(page)
    const shown = (await page.locator('main').textContent()) ?? ''
    if (isSeen && !/<script>|broken = 1/.test(shown)) unseen.push(path)
    expect(shown, path).not.toContain('This reply has another shape')
  }

  expect(unseen).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('shows hostile rows of a table as they are written', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/operations/database` })
  await page.getByRole('button', { name: 'Show rows memories', exact: true }).click()
  await page.getByRole('cell').first().waitFor()

  await expectNoTrace(page)
  expect(faults).toEqual([])
  await close()
})

/** The field is debounced; the page searches settings itself. */
async function waitForReply(page: Page, path: string): Promise<void> {
  await page.waitForTimeout(path === '/ui/settings' ? 20 : 280)
  await waitUntilLoaded(page)
}

const searches = [
  ['/ui/memories', 'Search memories'],
  ['/ui/sessions', 'Search transcripts'],
  ['/ui/knowledge', 'Search knowledge'],
  ['/ui/settings', 'Find a setting'],
] as const

test('takes hostile text as a search', async () => {
  const { page, faults, close } = await openPage({ url: service.url })
  const queries = payloads.filter((_, index) => isLong || index % 24 === 0)
  for (const [path, name] of searches) {
    await page.goto(service.url + path)
    const box = page.getByRole('searchbox', { name })
    for (const query of queries) {
      await box.fill(query.slice(0, 200))
      await waitForReply(page, path)
      await expectNoTrace(page)
    }
  }
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Search or run a command' })
  for (const query of queries) {
    await palette.fill(query.slice(0, 200))
    await page.waitForTimeout(200)
    await expectNoTrace(page)
  }

  expect(faults).toEqual([])
  await close()
})

test('takes hostile text as an address', async () => {
  const { page, faults, close } = await openPage({ url: service.url })
  const screens = ['', 'memories/', 'sessions/', 'knowledge/', 'skills/', 'memories?q=', 'no/']
  const texts = payloads.filter((_, index) => isLong || index % 24 === 0)
  for (const [index, text] of texts.entries())
    for (const screen of isLong ? screens : screens.slice(index % 7, (index % 7) + 2)) {
      await page.goto(
        `${service.url}/ui/${screen}${encodeURIComponent(text.toWellFormed().slice(0, 200))}`,
      )
      await page.locator('h1').first().waitFor()
      await expectNoTrace(page)
    }

  // An address of nothing is a refusal of the service, which the browser reports.
  expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([])
  await close()
})
