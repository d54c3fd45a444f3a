import { afterAll, describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const { hook, newKey } = hooksOf(service)
const spoken = 'User: where is the ladder?\nAssistant: The ladder leans on the barn.'

describe('remember and recall', () => {
  test('work as the API does, with aliases and a brief', async () => {
    const sessionKey = newKey()
    const content = 'The weathervane points to the orchard'
    const kept = await hook('remember', { sessionKey, content })
    expect(kept).toMatchObject({ status: 200, body: { content, deduped: false } })
    expect((await service.ask(`GET /api/memory/${kept.body['id']}`)).body).toMatchObject({
      who: 'codex',
    })

    const { body } = await hook('recall', { sessionKey, query: 'weathervane orchard' })

    expect(body).toMatchObject({ count: 1, memories: [{ content }], results: [{ content }] })
    expect(body['message']).toContain('- [fact] The weathervane')
    const again = await hook('recall', { sessionKey, query: 'weathervane orchard' })
    expect(again.body).toMatchObject({ count: 0, meta: { dedupe: { suppressed: 1 } } })
    expect(
      (await hook('recall', { sessionKey, query: 'weathervane', includeRecalled: true })).body,
    ).toMatchObject({ results: [{ already_recalled: true }] })
  })
})

describe('compaction', () => {
  test('works: the summary is kept once, and everything may be told anew', async () => {
    const sessionKey = newKey()
    const content = `The scarecrow ${sessionKey} wears a hat`
    await hook('remember', { sessionKey, content })
    const ask = () => hook('recall', { sessionKey, query: `scarecrow ${sessionKey}` })
    expect((await ask()).body['count']).toBe(1)
    const before = await hook('pre-compaction', { sessionKey, sessionContext: 'about hats' })
    expect(before.body['instructions']).toBe(before.body['summaryPrompt'])
    expect((await ask()).body['count']).toBe(0)
    const summary = `We spoke of hats in ${sessionKey}.`

    const done = await hook('compaction-complete', { sessionKey, summary, project: '/p' })

    expect(done).toMatchObject({ status: 200, body: { success: true, contextEpoch: 1 } })
    expect((await service.ask(`GET /api/memory/${done.body['memoryId']}`)).body).toMatchObject({
      ...{ type: 'session_summary', content: summary, importance: 0.8, who: 'system' },
      ...{ tags: 'session,summary,codex', source_type: 'codex', source_id: sessionKey },
    })
    expect((await ask()).body['count']).toBeGreaterThan(0)
    expect((await hook('compaction-complete', { sessionKey, summary })).body).toEqual(done.body)
    const nodes = await service.ask(`GET /api/sessions/summaries?session_key=${sessionKey}`)
    expect(nodes.body['summaries']).toMatchObject([{ source_type: 'compaction', content: summary }])
    const [node] = nodes.body['summaries'] as { readonly id: string }[]
    const expanded = await service.ask('POST /api/sessions/summaries/expand', {
      body: { id: node?.id },
    })
    expect(expanded.body['linkedMemories']).toMatchObject([
      { id: done.body['memoryId'], content: summary, deleted: false },
    ])
  })
})

describe('session-checkpoint-extract', () => {
  test('works: what was said so far is kept, and the session goes on', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    await hook('user-prompt-submit', { sessionKey, userMessage: 'where is the ladder?' })
    const long = `${spoken}\nUser: ${'and what of the rope, the bucket and the saw? '.repeat(20)}`

    const { body } = await hook('session-checkpoint-extract', { sessionKey, transcript: long })

    expect(body).toEqual({ skipped: true })
    const transcript = await service.ask(`GET /api/sessions/${sessionKey}/transcript`)
    expect(transcript.body['content']).toContain('The ladder leans on the barn.')
    const { body: kept } = await service.ask(`GET /api/checkpoints/${sessionKey}`)
    expect(kept['checkpoints']).toMatchObject([{ trigger: 'explicit', prompt_count: 1 }])
    expect((await service.ask(`GET /api/sessions/${sessionKey}`)).status).toBe(200)
  })

  test('refuses: a session without a key', async () => {
    expect(await hook('session-checkpoint-extract')).toMatchObject({
      ...{ status: 400, body: { error: 'harness and sessionKey are required' } },
    })
  })
})

describe('skill-invocation', () => {
  test('works: what was used is announced', async () => {
    expect((await hook('skill-invocation', { skill: 'dig', latencyMs: 5 })).body).toEqual({
      recorded: true,
    })
  })
})

describe('synthesis', () => {
  test('works: what MEMORY.md would say, and the settings of it', async () => {
    const { body } = await service.ask('POST /api/hooks/synthesis', { body: {} })

    expect(body).toMatchObject({ harness: 'daemon', model: 'projection' })
    expect(String(body['prompt']).endsWith(`${body['indexBlock']}\n`)).toBe(true)
    expect((await service.ask('GET /api/hooks/synthesis/config')).body).toMatchObject({
      ...{ enabled: true, schedule: 'idle', minIntervalMinutes: 60, idleGapMinutes: 15 },
    })
    expect((await service.ask('POST /api/synthesis/trigger', { body: {} })).body).toMatchObject({
      success: true,
    })
    expect((await service.ask('GET /api/synthesis/status')).body).toMatchObject({ running: false })
  })

  test('works: a compaction has it written, a beginning tells it, and no capture takes it back', async () => {
    const agentId = 'scribe'
    const about = { agentId, project: '/meadow' }
    const call = (name: string, body: object) => hook(name, { ...about, ...body })
    const summary = 'The meadow was mown on Friday, and the hay lies in the northern barn.'
    await call('compaction-complete', { sessionKey: 'mowing', summary })
    await expect
      .poll(
        async () =>
          (await service.ask('GET /api/synthesis/status?agentId=scribe')).body['lastRunAt'],
        { timeout: 30_000 },
      )
      .toEqual(expect.any(String))

    const told = (await call('session-start', { sessionKey: 'raking' })).body
    expect(told['recentContext']).toContain('# Working Memory Summary')
    expect(told['recentContext']).not.toContain('svc:memory')
    const transcript = `User: hello ${String(told['inject']).replaceAll('\n', ' ')} and good day`
    const ended = await call('session-end', { sessionKey: 'raking', transcript })
    await expect
      .poll(
        async () => {
          const receipt = `/api/hooks/transcript-capture/${ended.body['transcriptCaptureJobId']}`
          return (await service.ask(`GET ${receipt}?agentId=scribe`)).body['status']
        },
        { timeout: 30_000 },
      )
      .toBe('completed')
    const kept = await service.ask('GET /api/sessions/raking/transcript?agentId=scribe')
    expect(kept.body['content']).toMatch(/^User: hello\s+and good day$/)
    const next = (await service.ask('POST /api/hooks/synthesis', { body: { agentId } })).body
    expect(String(next['prompt']).split('Working Memory Summary')).toHaveLength(2)
  })

  test('refuses: a body that is none', async () => {
    expect(await service.ask('POST /api/hooks/synthesis', { body: '[' })).toMatchObject({
      ...{ status: 400, body: { error: 'invalid request body' } },
    })
  })

  test('refuses: a harness that would complete it', async () => {
    expect(await service.ask('POST /api/hooks/synthesis/complete')).toMatchObject({
      status: 410,
      body: { version: 1, retired: true, migration: { path: '/api/synthesis/trigger' } },
    })
  })

  test('who may: readers may look and not write', async () => {
    const ask = { body: {}, role: 'readonly' } as const

    expect((await service.ask('POST /api/hooks/synthesis', ask)).status).toBe(200)
    expect((await service.ask('POST /api/synthesis/trigger', ask)).status).toBe(403)
  })
})
