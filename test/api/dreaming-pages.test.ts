import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({ config: { memory: { dreaming: { enabled: true } } } })
afterAll(() => service.stop())
const ask = (operation: string, body?: unknown, more: object = {}) =>
  service.ask(operation, { role: 'admin', ...(body !== undefined && { body }), ...more })

const day = (at: number) => `2026-03-0${at}T09:00:00.000Z`

test('a page of quotes grows from several days, and is of its agent only', async () => {
  for (const [at, editor] of ['Kestrel', 'Plume', 'Quill'].entries())
    await ask('POST /api/memory/remember', {
      content: `My main editor is ${editor} now.`,
      who: 'Ines Calloway',
      createdAt: day(at + 1),
    })
  const empty = await ask('GET /api/dream/pages')
  expect(empty).toMatchObject({ status: 200, body: { items: [] } })
  const { body } = await ask('POST /api/dream/trigger', {})
  const path = `GET /api/dream/passes/${body['passId']}`
  await expect
    .poll(async () => Object((await ask(path)).body['pass']).status, { timeout: 20_000 })
    .toBe('completed')
  await expect
    .poll(async () => (await ask('GET /api/dream/pages')).body['items'], { timeout: 5_000 })
    .toMatchObject([{ name: 'Ines Calloway', claims: 1 }])

  const page = await ask('GET /api/dream/pages/ines%20calloway')
  expect(page).toMatchObject({ status: 200, body: { name: 'Ines Calloway' } })
  const text = String(page.body['text'])
  expect(text).toContain('editor: Quill (since 2026-03-03) “My main editor is Quill now.” [1]')
  expect(text).toContain('editor: Kestrel → Plume (2026-03-02)')
  const unknown = await ask('GET /api/dream/pages/someone%20else')
  expect(unknown).toMatchObject({ status: 404, body: { error: 'Dreaming page not found' } })
  const foreign = await ask('GET /api/dream/pages/ines%20calloway', undefined, { agent: 'bo' })
  expect(foreign).toMatchObject({ status: 404, body: unknown.body })
})
