import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage, waitUntilLoaded } from './open-page.ts'
import { payloads } from './payloads.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

const task = { cronExpression: '0 0 1 1 *', harness: 'codex', enabled: false }

/** Each field by itself: some refuse names with hidden characters, the text of a memory does not. */
async function plant(payload: string, index: number): Promise<void> {
  const content = `${index} ${payload}`
  const entity = { operation: 'create_entity', payload: { name: content, type: 'thing' } }
  const requests: [string, object][] = [
    ['POST /api/memory/remember', { content: `tagged ${index}`, tags: [payload] }],
    ['POST /api/memory/remember', { content: `said ${index}`, who: payload }],
    ['POST /api/memory/remember', { content: `placed ${index}`, project: payload, type: payload }],
    ['POST /api/ontology/operations/apply', entity],
    ['POST /api/documents', { source_type: 'text', title: payload, content }],
    ['POST /api/agents', { name: payload.slice(0, 60) }],
    ['POST /api/secrets/FIELD', { value: payload }],
    ['POST /api/tasks', { ...task, name: payload, prompt: payload }],
    ['POST /api/ontology/operations/apply', toClaim(payload)],
    ['POST /api/ontology/proposals', { ...toClaim(payload), rationale: payload }],
    ['POST /api/cross-agent/messages', { broadcast: true, content: payload }],
  ]
  const send = ([operation, body]: [string, object]) =>
    service.ask(operation, { agent: 'default', body })
  await Promise.all(requests.map(send))
}

/** A claim whose every name is the payload. */
function toClaim(payload: string) {
  const slot = { entity: 'Hostile Harbour', aspect: payload, group_key: 'any', claim_key: payload }
  return { operation: 'add_claim_value', payload: { ...slot, value: payload } }
}

/** The first item of a list. */
async function readId(operation: string, name: string): Promise<string> {
  const { body } = await service.ask(operation, { agent: 'default' })
  const [first] = body[name] as readonly { readonly id: string }[]
  return encodeURIComponent(first?.id ?? '')
}

const planted =
  process.env['SVC_TEST_ROUNDS'] === 'all'
    ? payloads
    : payloads.filter((_, index) => index % 4 === 1)
const paths = [
  '/',
  '/ui/sessions',
  '/ui/sessions/hostile',
  '/ui/knowledge',
  '/ui/knowledge/graph',
  '/ui/knowledge/Hostile%20Harbour',
  '/ui/knowledge/proposals',
  '/ui/knowledge/hygiene',
  '/ui/sessions/hostile/blackbox',
  '/ui/sessions/hostile/summary',
  '/ui/map',
  '/ui/sources',
  '/ui/extensions',
  '/ui/agents',
  '/ui/secrets',
  '/ui/operations/logs',
]

test('shows hostile text as it is written, in every field', async () => {
  const entity = { operation: 'create_entity', payload: { name: 'Hostile Harbour', type: 'place' } }
  await service.ask('POST /api/ontology/operations/apply', { agent: 'default', body: entity })
  await Promise.all(planted.map(plant))
  const contents = payloads.map(async (payload, index) => {
    const body = { content: `${index} ${payload}` }
    const reply = await service.ask('POST /api/memory/remember', { agent: 'default', body })
    expect(reply.status).toBe(200)
  })
  await Promise.all(contents)
  const transcript = payloads.map((payload) => `User: ${payload}`).join('\n')
  const session = { harness: 'codex', sessionKey: 'hostile', transcript }
  await service.ask('POST /api/hooks/session-end', { agent: 'default', body: session })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/memories` })
  await waitUntilLoaded(page)
  const text = await page.getByRole('list', { name: 'Memories' }).textContent()
  expect(text).toContain('<script>globalThis.broken = 1</script>')
  for (const mark of ['U+202E', 'U+200B', 'U+2066', 'U+0007', 'U+E0041', 'U+E000'])
    expect(text).toContain(mark)

  const details = [
    `/ui/memories/${await readId('GET /api/memories', 'memories')}`,
    `/ui/documents/${await readId('GET /api/documents', 'documents')}`,
    `/ui/tasks/${await readId('GET /api/tasks', 'tasks')}`,
  ]
  for (const path of [...paths, ...details]) {
    await page.goto(service.url + path)
    await waitUntilLoaded(page)
    expect(await page.locator('main script, main iframe, main object, main img').count()).toBe(0)
  }

  expect(await page.evaluate('globalThis.broken')).toBeUndefined()
  expect(faults).toEqual([])
  await close()
})

test('takes hostile text as a search and as a path', async () => {
  const { page, faults, close } = await openPage({ url: service.url })
  for (const payload of payloads.filter((_, index) => index % 8 === 0)) {
    await page.goto(`${service.url}/ui/memories?q=${encodeURIComponent(payload.slice(0, 200))}`)
    await waitUntilLoaded(page)
  }
  await page.goto(`${service.url}/ui/${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()

  expect(await page.evaluate('globalThis.broken')).toBeUndefined()
  expect(faults).toEqual([])
  await close()
})
