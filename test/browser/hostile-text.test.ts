import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage, waitUntilLoaded } from './open-page.ts'
import { payloads } from './payloads.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

test('shows hostile text as it is written, in every field', async () => {
  for (const [index, payload] of payloads.entries()) {
    const content = `${index} ${payload}`
    const fields = { tags: [payload], who: payload, project: payload, type: payload }
    await service.ask('POST /api/memory/remember', { body: { content, ...fields } })
    await service.ask('POST /api/ontology/operations/apply', {
      body: { operation: 'create_entity', payload: { name: content, type: 'thing' } },
    })
    await service.ask('POST /api/documents', {
      body: { source_type: 'text', title: payload, content },
    })
  }
  const transcript = payloads.map((payload) => `User: ${payload}`).join('\n')
  const session = { harness: 'codex', sessionKey: '<b onclick=alert(1)>', transcript }
  await service.ask('POST /api/hooks/session-end', { body: session })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/memories` })
  await waitUntilLoaded(page)
  const text = await page.getByRole('list', { name: 'Memories' }).textContent()
  expect(text).toContain('<script>globalThis.broken = 1</script>')
  expect(text).toContain('U+202E')

  for (const path of ['/', '/ui/sessions', '/ui/knowledge', '/ui/knowledge/graph', '/ui/sources']) {
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
