import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const search = (body: unknown) => service.ask('POST /api/sessions/search', { body })
const expand = (body: unknown) => service.ask('POST /api/sessions/summaries/expand', { body })

describe('receipt', () => {
  test('refuses what is no capture', async () => {
    expect(await service.ask('GET /api/hooks/transcript-capture/tcj_none')).toMatchObject({
      status: 404,
      body: { error: 'Transcript capture job not found' },
    })
  })

  test('who may: not who only reads', async () => {
    const call = 'GET /api/hooks/transcript-capture/tcj_none'

    expect((await service.ask(call, { role: 'readonly' })).status).toBe(403)
  })
})

describe('transcript', () => {
  test('refuses a session without one', async () => {
    expect(await service.ask('GET /api/sessions/none/transcript')).toMatchObject({
      status: 404,
      body: { error: 'Transcript not found' },
    })
  })
})

describe('search', () => {
  test('works where nothing was said', async () => {
    expect((await search({ query: 'anything', limit: 0 })).body).toEqual({
      ...{ query: 'anything', hits: [], count: 0 },
    })
  })

  test('refuses to search for nothing', async () => {
    expect(await search({})).toMatchObject({ status: 400, body: { error: 'query is required' } })
    expect((await search({ query: 'a', limit: 1.5 })).status).toBe(400)
  })

  test('who may: a token of one project searches no other', async () => {
    const ask = { body: { query: 'a', project: 'gemini' }, scope: { project: 'apollo' } }

    expect((await service.ask('POST /api/sessions/search', ask)).status).toBe(403)
  })
})

describe('summaries', () => {
  test('work where there are none', async () => {
    const { body } = await service.ask('GET /api/sessions/summaries?limit=0&depth=0')

    expect(body).toEqual({ summaries: [], total: 0 })
  })

  test('refuse a depth that is none', async () => {
    for (const depth of ['-1', 'deep', '1.5'])
      expect(await service.ask(`GET /api/sessions/summaries?depth=${depth}`)).toMatchObject({
        status: 400,
        body: { error: 'depth must be a non-negative integer' },
      })
  })
})

describe('expand', () => {
  test('refuses without an id, and what is not there', async () => {
    expect(await expand({})).toMatchObject({ status: 400, body: { error: 'id is required' } })
    expect(await expand({ id: 'none' })).toMatchObject({
      status: 404,
      body: { error: 'summary node not found' },
    })
  })
})

describe('black box', () => {
  test('tells what a recall has brought into a session', async () => {
    const content = 'the quillwort grows by the lake'
    const { body: saved } = await service.ask('POST /api/memory/remember', { body: { content } })
    const recall = { query: 'quillwort', sessionKey: 'box-1' }
    await service.ask('POST /api/memory/recall', { body: recall })

    const { body } = await service.ask('GET /api/sessions/box-1/blackbox')

    expect(body).toMatchObject({
      ...{ sessionKey: 'box-1', eventCount: 1 },
      events: [
        {
          kind: 'context.recalled',
          refs: [{ kind: 'memory', id: saved['id'], label: content, status: 'active' }],
        },
      ],
      frame: { activeRefCount: 1, warnings: [] },
    })
    expect((await service.ask('GET /api/sessions/blackbox')).body).toMatchObject({
      count: 1,
      sessions: [{ sessionKey: 'box-1', recallEvents: 1, artifactEvents: 0, project: null }],
    })
  })

  test('tells nothing of an unknown session, nor another agent’s', async () => {
    expect((await service.ask('GET /api/sessions/none/blackbox')).body).toMatchObject({
      ...{ eventCount: 0, events: [], frame: { at: null } },
    })
    const others = await service.ask('GET /api/sessions/box-1/blackbox', { agent: 'bob' })
    expect(others.body).toMatchObject({ eventCount: 0 })
  })

  test('who may: a token of one project sees no other', async () => {
    const ask = { scope: { project: 'apollo' } }

    expect((await service.ask('GET /api/sessions/blackbox?project=gemini', ask)).status).toBe(403)
    expect((await service.ask('GET /api/sessions/box-1/blackbox', ask)).body).toMatchObject({
      eventCount: 0,
    })
  })
})

describe('checkpoints', () => {
  test('work where there are none', async () => {
    const none = { checkpoints: [], count: 0 }

    expect((await service.ask('GET /api/checkpoints?project=apollo')).body).toEqual(none)
    expect((await service.ask('GET /api/checkpoints/none')).body).toEqual(none)
  })

  test('refuse to be listed for no project', async () => {
    for (const query of ['', '?project='])
      expect(await service.ask(`GET /api/checkpoints${query}`)).toMatchObject({
        status: 400,
        body: { error: 'project query parameter required' },
      })
  })

  test('who may: a token of one project sees no other', async () => {
    const ask = { scope: { project: 'apollo' } }

    expect((await service.ask('GET /api/checkpoints?project=gemini', ask)).status).toBe(403)
  })
})
