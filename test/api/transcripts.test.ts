import { describe, expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('theo')

const search = (body: unknown) => service.ask('POST /api/sessions/search', { body })
const expand = (body: unknown) => service.ask('POST /api/sessions/summaries/expand', { body })

const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const transcript = `User: why does the zebra fail\nmore\nAssistant: <private>x</private>it needs ${token}`
await service.ask('POST /api/memory/remember', {
  body: { content: 'the zebra is mended', sourceId: 'talk-1', project: 'apollo', transcript },
})

describe('receipt', () => {
  test('refuses an unknown capture', async () => {
    expect(await service.ask('GET /api/hooks/transcript-capture/tcj_none')).toMatchObject({
      status: 404,
      body: { error: 'Transcript capture job not found' },
    })
  })

  test('refuses readers', async () => {
    const call = 'GET /api/hooks/transcript-capture/tcj_none'

    expect((await service.ask(call, { role: 'readonly' })).status).toBe(403)
  })
})

describe('transcript', () => {
  test('is read by key with or without a prefix, without secrets', async () => {
    for (const key of ['talk-1', 'session:talk-1'])
      expect((await service.ask(`GET /api/sessions/${key}/transcript`)).body).toEqual({
        sessionKey: 'talk-1',
        agentId: 'theo',
        content: 'User: why does the zebra fail more\nAssistant: it needs [REDACTED]',
      })
  })

  test('refuses other agents and tokens of another project', async () => {
    const call = 'GET /api/sessions/talk-1/transcript'

    expect((await service.ask(call, { agent: 'bob' })).status).toBe(404)
    expect((await service.ask(call, { scope: { project: 'gemini' } })).status).toBe(403)
    expect((await service.ask(call, { scope: { project: 'apollo' } })).status).toBe(200)
  })

  test('refuses a session without a transcript', async () => {
    expect(await service.ask('GET /api/sessions/none/transcript')).toMatchObject({
      status: 404,
      body: { error: 'Transcript not found' },
    })
  })
})

describe('diagnostics', () => {
  const call = 'GET /api/diagnostics/transcripts'

  test('report all agents or one', async () => {
    const allAgents = { agent: '' }
    const healthy = {
      capture: { pending: 0, processing: 0, failed: 0, dead: 0 },
      artifacts: { pendingSummaries: 0, missingTranscriptArtifacts: 0 },
    }

    expect((await service.ask(call, allAgents)).body).toMatchObject({
      ok: true,
      agentId: null,
      ...healthy,
      audit: { latestLogs: 0, finalLogs: 0, newestAuditAt: null },
    })
    expect((await service.ask(`${call}?agentId=bob`)).body).toMatchObject({
      ok: true,
      agentId: 'bob',
      ...healthy,
      sessionStore: { rows: 0, oldestUpdatedAt: null, newestUpdatedAt: null },
      audit: { omittedReason: expect.any(String) },
    })
    expect((await service.ask(call)).body).toMatchObject({ sessionStore: { rows: 1 } })
    expect((await service.ask('GET /api/status')).body['transcripts']).toEqual(
      expect.objectContaining({ capture: expect.objectContaining({ dead: 0 }) }),
    )
  })

  test('require an operator, within the scope of the token', async () => {
    expect((await service.ask(call, { role: 'agent' })).status).toBe(403)
    const scope = { agent: 'theo' }
    expect((await service.ask(`${call}?agentId=bob`, { scope })).status).toBe(403)
    expect((await service.ask(call, { scope, agent: '' })).body).toMatchObject({ agentId: 'theo' })
    for (const project of [{ project: 'apollo' }, { ...scope, project: 'apollo' }])
      expect(await service.ask(call, { scope: project, agent: 'theo' })).toMatchObject({
        status: 403,
        body: { code: 'out_of_scope' },
      })
  })
})

describe('search', () => {
  test('finds sessions by words and key, and excludes the calling session', async () => {
    const hit = { sessionKey: 'talk-1', project: 'apollo' }

    expect((await search({ query: 'zebra' })).body).toMatchObject({
      query: 'zebra',
      count: 1,
      hits: [{ ...hit, excerpt: 'why does the zebra fail more it needs [REDACTED]' }],
    })
    expect((await search({ query: 'talk-1' })).body).toMatchObject({ hits: [{ ...hit, rank: 0 }] })
    const own = await search({ query: 'zebra', current_session_key: 'talk-1' })
    expect(own.body).toMatchObject({ count: 0 })
  })

  test('returns no hits without a match', async () => {
    expect((await search({ query: 'anything', limit: 0 })).body).toEqual({
      query: 'anything',
      hits: [],
      count: 0,
    })
  })

  test('refuses a missing query', async () => {
    expect(await search({})).toMatchObject({ status: 400, body: { error: 'query is required' } })
    expect((await search({ query: 'a', limit: 1.5 })).status).toBe(400)
  })

  test('refuses another project than that of the token', async () => {
    const ask = { body: { query: 'a', project: 'gemini' }, scope: { project: 'apollo' } }

    expect((await service.ask('POST /api/sessions/search', ask)).status).toBe(403)
  })
})

describe('recall', () => {
  const recall = async (body: object, agent = 'theo') =>
    (await service.ask('POST /api/memory/recall', { body, agent })).body['results']

  test('adds transcript hits without a memory hit, or with expand', async () => {
    const hit = { id: 'transcript:talk-1', source: 'transcript', supplementary: true }

    expect(await recall({ query: 'why does the zebra fail' })).toMatchObject([
      { content: 'the zebra is mended' },
    ])
    expect(await recall({ query: 'zebra', expand: true })).toMatchObject([
      { content: 'the zebra is mended' },
      { ...hit, content: expect.stringContaining('needs [REDACTED]') },
    ])
    await service.ask('POST /api/memory/remember', {
      body: { content: 'a heron', sourceId: 'talk-2', transcript: 'User: the okapi sleeps' },
    })
    expect(await recall({ query: 'okapi' })).toMatchObject([{ ...hit, id: 'transcript:talk-2' }])
    expect(await recall({ query: 'okapi', sessionKey: 'talk-2' })).toEqual([])
    expect(await recall({ query: 'okapi', type: 'fact' })).toEqual([])
  })

  test('excludes transcripts of other agents', async () => {
    expect(await recall({ query: 'okapi' }, 'bob')).toEqual([])
  })
})

describe('summaries', () => {
  test('are empty without sessions', async () => {
    const { body } = await service.ask('GET /api/sessions/summaries?limit=0&depth=0')

    expect(body).toEqual({ summaries: [], total: 0 })
  })

  test('refuse an invalid depth', async () => {
    for (const depth of ['-1', 'deep', '1.5', '0&depth=1'])
      expect(await service.ask(`GET /api/sessions/summaries?depth=${depth}`)).toMatchObject({
        status: 400,
        body: { error: 'depth must be a non-negative integer' },
      })
  })
})

describe('expand', () => {
  test('refuses a missing and an unknown id', async () => {
    expect(await expand({})).toMatchObject({ status: 400, body: { error: 'id is required' } })
    expect(await expand({ id: 'none' })).toMatchObject({
      status: 404,
      body: { error: 'summary node not found' },
    })
  })
})

describe('checkpoints', () => {
  test('are empty without sessions', async () => {
    const none = { checkpoints: [], count: 0 }

    expect((await service.ask('GET /api/checkpoints?project=apollo')).body).toEqual(none)
    expect((await service.ask('GET /api/checkpoints/none')).body).toEqual(none)
  })

  test('refuse a list without a project', async () => {
    for (const query of ['', '?project='])
      expect(await service.ask(`GET /api/checkpoints${query}`)).toMatchObject({
        status: 400,
        body: { error: 'project query parameter required' },
      })
  })

  test('refuses another project than that of the token', async () => {
    const ask = { scope: { project: 'apollo' } }

    expect((await service.ask('GET /api/checkpoints?project=gemini', ask)).status).toBe(403)
  })
})

test('returns a long transcript completely', async () => {
  const content = `User: ${'the okapi sleeps 日本 🌿 '.repeat(4000)}`.trimEnd()
  await service.ask('POST /api/hooks/session-end', {
    body: { harness: 'codex', sessionKey: 'long-talk', transcript: `${content} ${token}` },
  })

  expect(await service.ask('GET /api/sessions/long-talk/transcript')).toMatchObject({
    status: 200,
    body: { sessionKey: 'long-talk', agentId: 'theo', content: `${content} [REDACTED]` },
  })
})
