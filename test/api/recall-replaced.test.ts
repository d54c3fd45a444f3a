import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({
  config: { memory: { dreaming: { enabled: true } } },
})
afterAll(() => service.stop())

const remember = async (content: string, more: object) => {
  const body = { content, ...more }
  const reply = await service.ask('POST /api/memory/remember', { role: 'admin', body })
  return reply.body['id']
}

/** Runs a pass of Dreaming to its end. */
async function dream() {
  const { body } = await service.ask('POST /api/dream/trigger', { role: 'admin', body: {} })
  const path = `GET /api/dream/passes/${String(body['passId'])}` as const
  const readStatus = async () =>
    Object((await service.ask(path, { role: 'admin' })).body['pass']).status
  await vi.waitUntil(async () => (await readStatus()) !== 'running', { timeout: 20_000 })
}

const recall = async (query: string) => {
  const body = { query, explain: true }
  const reply = await service.ask('POST /api/memory/recall', { role: 'admin', body })
  return reply.body['results'] as readonly Readonly<Record<string, unknown>>[]
}

const january = { createdAt: '2026-01-03T08:00:00Z' }
const march = { createdAt: '2026-03-03T08:00:00Z' }
const ids: Record<string, unknown> = {}
beforeAll(async () => {
  const ines = { who: 'Ines Calloway' }
  const jana = { who: 'Jana Holm' }
  ids['editor'] = await remember('My main editor is Kestrel.', { ...ines, ...january })
  ids['home'] = await remember('Ich wohne in Bremen.', { ...jana, ...january })
  await dream()
  const change = 'I switched from Kestrel to Plume last week.'
  ids['switched'] = await remember(change, { ...ines, ...march })
  ids['moved'] = await remember('Wir sind letzten Monat nach Kiel umgezogen.', {
    ...jana,
    ...march,
  })
  await dream()
})

test.each([
  ['what is the main editor of Ines Calloway?', 'editor', 'switched'],
  ['Wo wohnt Jana Holm?', 'home', 'moved'],
])(
  '%s: the evidence of the newer claim stands before that of the older one',
  async (query, older, newer) => {
    await dream()

    const [first, ...rest] = await recall(query)

    expect(first).toMatchObject({ id: ids[newer] })
    expect(JSON.stringify(first)).toContain('its claims replace older claims')
    expect(rest).toContainEqual(
      expect.objectContaining({ id: ids[older], outdated_by: ids[newer] }),
    )
  },
)

test('in a question about the past the evidence of the older claim answers', async () => {
  const [first] = await recall('what was the previous main editor of Ines Calloway?')

  expect(first).toMatchObject({ id: ids['editor'], outdated_by: ids['switched'] })
})
