import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

describe('black box', () => {
  test('lists the memories that a recall returned to a session', async () => {
    const content = 'the quillwort grows by the lake'
    const { body: saved } = await service.ask('POST /api/memory/remember', { body: { content } })
    const recall = { query: 'quillwort', sessionKey: 'box-1' }
    await service.ask('POST /api/memory/recall', { body: recall })

    const { body } = await service.ask('GET /api/sessions/box-1/blackbox')

    expect(body).toMatchObject({
      sessionKey: 'box-1',
      eventCount: 1,
      events: [
        {
          kind: 'context.recalled',
          refs: [
            {
              kind: 'memory',
              id: saved['id'],
              label: content,
              status: 'active',
              score: expect.any(Number),
            },
          ],
          payload: {
            surface: 'api.memory.recall',
            mode: 'explicit',
            source: expect.any(String),
          },
        },
      ],
      frame: { activeRefCount: 1, warnings: [] },
    })
    expect((await service.ask('GET /api/sessions/blackbox')).body).toMatchObject({
      count: 1,
      sessions: [{ sessionKey: 'box-1', recallEvents: 1, artifactEvents: 0, project: null }],
    })
  })

  test('reports the surface and the mode of each result', async () => {
    const ask = { agent: 'botanist' }
    const body = { harness: 'codex', sessionKey: 'box-2', project: '/p', query: 'bistort' }
    const hook = (name: string, more: object = {}) =>
      service.ask(`POST /api/hooks/${name}`, { ...ask, body: { ...body, ...more } })
    await hook('remember', { content: 'the bistort is pink' })
    await hook('session-start')
    expect((await hook('recall')).body).toMatchObject({ count: 1 })

    const payloads = async (key: string) => {
      const path = `/api/sessions/${encodeURIComponent(key)}/blackbox`
      const events = (await service.ask(`GET ${path}`, ask)).body['events']
      return (events as readonly { readonly payload: object }[]).map(({ payload }) => payload)
    }
    const results = await payloads('box-2')
    const memoryItem = { contextEpoch: 0, itemKind: 'memory' }
    expect(results.at(-1)).toMatchObject({
      surface: 'api.hooks.recall',
      mode: 'explicit',
      ...memoryItem,
    })
    for (const start of results.slice(0, -1))
      expect(start).toMatchObject({
        surface: 'api.hooks.session-start',
        mode: 'automatic',
        ...memoryItem,
      })
    expect(results.length).toBeGreaterThan(1)
    // The ledger counts a beginning apart, and the session is one all the same.
    expect(await payloads('codex:/p:box-2')).toEqual([])
    const listed = await service.ask('GET /api/sessions/blackbox', ask)
    expect(listed.body).toMatchObject({ count: 1, sessions: [{ sessionKey: 'box-2' }] })
  })

  test('is empty for an unknown session and for another agent', async () => {
    expect((await service.ask('GET /api/sessions/none/blackbox')).body).toMatchObject({
      eventCount: 0,
      events: [],
      frame: { at: null },
    })
    const others = await service.ask('GET /api/sessions/box-1/blackbox', { agent: 'bob' })
    expect(others.body).toMatchObject({ eventCount: 0 })
  })

  test('refuses another project than that of the token', async () => {
    const ask = { scope: { project: 'apollo' } }

    expect((await service.ask('GET /api/sessions/blackbox?project=gemini', ask)).status).toBe(403)
    expect((await service.ask('GET /api/sessions/box-1/blackbox', ask)).body).toMatchObject({
      eventCount: 0,
    })
  })
})
