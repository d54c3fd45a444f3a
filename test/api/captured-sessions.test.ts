import { expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()

const search = (body: unknown) => service.ask('POST /api/sessions/search', { body })
const expand = (body: unknown) => service.ask('POST /api/sessions/summaries/expand', { body })

const zoo = { project: 'zoo', harness: 'codex', session_key: 'zoo-0', agent_id: 'ada' }
const content =
  'A session of the harness codex in the project zoo was captured on 2026-01-02 with 2 turns of conversation.'
const times = { earliest_at: '2026-01-02T03:04:05.000Z', latest_at: '2026-01-02T03:04:05.000Z' }
const end = async (sessionKey: string) => {
  const transcript = `User: the ibex of ${sessionKey} climbs\nAssistant: indeed`
  const { body } = await service.ask('POST /api/hooks/session-end', {
    body: {
      harness: 'codex',
      project: 'zoo',
      sessionKey,
      transcript,
      capturedAt: '2026-01-02T04:04:05+01:00',
    },
  })
  const job = `GET /api/hooks/transcript-capture/${body['transcriptCaptureJobId']}`
  return async () => (await service.ask(job)).body['status']
}

test('a captured session has a summary node that can be expanded', async () => {
  await expect.poll(await end('zoo-0'), { timeout: 30_000 }).toBe('completed')

  const { body } = await service.ask('GET /api/sessions/summaries?session_key=session:zoo-0')
  expect(body).toEqual({
    summaries: [
      {
        ...zoo,
        ...times,
        content,
        depth: 0,
        kind: 'session',
        token_count: 27,
        id: expect.stringMatching(/^transcript:[a-z2-7]{16}$/),
        created_at: expect.any(String),
        source_type: 'transcript',
        source_ref: 'zoo-0',
        childCount: 0,
        meta_json: '{"source":"session-capture"}',
      },
    ],
    total: 1,
  })
  const [{ id = '', created_at: createdAt = '' } = {}] = body['summaries'] as {
    readonly id: string
    readonly created_at: string
  }[]
  const node = {
    id,
    kind: 'session',
    depth: 0,
    sourceType: 'transcript',
    sourceRef: 'zoo-0',
    meta: { source: 'session-capture' },
    project: 'zoo',
    sessionKey: 'zoo-0',
    content,
    harness: 'codex',
    agentId: 'ada',
    tokenCount: 27,
    createdAt,
    earliestAt: times.earliest_at,
    latestAt: times.latest_at,
  }
  const text = 'the ibex of zoo-0 climbs'
  expect((await expand({ id, transcriptCharLimit: 0 })).body).toEqual({
    node,
    parents: [],
    children: [],
    linkedMemories: [],
    transcript: {
      sessionKey: 'zoo-0',
      harness: 'codex',
      project: 'zoo',
      updatedAt: expect.any(String),
      excerpt: `${text} indeed`,
      content: `User: ${text}\nAssistant: indeed`,
    },
  })
  expect((await expand({ id, includeTranscript: '0' })).body).toMatchObject({ transcript: null })
})

test('the black box of a captured session lists its artifacts', async () => {
  const { body } = await service.ask('GET /api/sessions/zoo-0/blackbox?project=zoo')

  const path = expect.stringMatching(/^(transcripts|memory)\//)
  const event = {
    id: expect.stringMatching(/^artifact:/),
    kind: 'artifact.written',
    at: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
    refs: [{ kind: 'source_artifact', id: path, label: expect.any(String), sourcePath: path }],
    payload: { project: 'zoo', harness: 'codex', sessionId: null },
  }
  expect(body).toEqual({
    sessionKey: 'zoo-0',
    agentId: 'ada',
    generatedAt: expect.any(String),
    eventCount: 2,
    events: [event, event],
    frame: {
      at: expect.any(String),
      activeRefCount: 2,
      likelyInfluences: [],
      warnings: [],
      activeRefs: [event.refs[0], event.refs[0]],
    },
  })
  expect((await service.ask('GET /api/sessions/blackbox?project=zoo')).body).toEqual({
    agentId: 'ada',
    count: 1,
    sessions: [
      {
        sessionKey: 'zoo-0',
        agentId: 'ada',
        project: 'zoo',
        lastAt: expect.any(String),
        recallEvents: 0,
        artifactEvents: 2,
      },
    ],
  })
})

test('a session search returns at most twenty hits', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => end(`zoo-${index + 1}`)))
  const count = async (limit: unknown) =>
    (await search({ query: 'ibex', project: 'zoo', limit })).body['count']

  expect([await count(0), await count(-1), await count('2')]).toEqual([1, 1, 2])
  expect([await count(20), await count(99), await count('x')]).toEqual([20, 20, 10])
})
