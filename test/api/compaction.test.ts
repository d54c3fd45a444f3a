import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('compaction')

const { hook, newKey } = hooksOf(service)
const spoken = 'User: where is the ladder?\nAssistant: The ladder leans on the barn.'

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)

describe('remember and recall', () => {
  test('work as in the API, with aliases and a brief', async () => {
    const sessionKey = newKey()
    const content = 'The weathervane points to the orchard'
    const saved = await hook('remember', { sessionKey, content })
    expect(saved).toMatchObject({ status: 200, body: { content, deduped: false } })
    expect((await service.ask(`GET /api/memory/${saved.body['id']}`)).body).toMatchObject({
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

  test('accept the smallest request of the API', async () => {
    const [content, project] = ['The dovecote is whitewashed in April', '/dovecote']
    const said = { content, project, tags: 'paint', who: 'maud', type: 'decision' }
    await hook('remember', said)
    const count = async (more: object) => {
      const { status, body } = await hook('recall', { query: 'dovecote', ...more })
      return status === 200 ? body['count'] : status
    }
    const { project: _, content: __, ...filters } = said

    expect(await count({ ...filters, project, since: '2020-01-01', keywordQuery: 'april' })).toBe(1)
    for (const other of [
      { project: '/q' },
      { type: 'fact' },
      { tags: 'hens' },
      { who: 'ada' },
      { since: '2999-01-01' },
      { until: '2020-01-01' },
    ])
      expect([other, await count(other)]).toEqual([other, 0])
    expect(await count({ aggregate: true, aggregateBudget: 'huge' })).toBe(400)
    expect(await count({ limit: 1.5 })).toBe(400)
  })
})

describe('recall', () => {
  test('refuses an invalid budget, and a saved aggregate without the permission to remember', async () => {
    const ask = (body: object) =>
      hook('recall', { query: 'weathervane', ...body }, { role: 'readonly' })

    expect(await ask({ aggregateBudget: 'huge' })).toMatchObject({
      status: 400,
      body: { error: 'aggregateBudget must be small, medium or large' },
    })
    expect((await ask({ aggregate: true })).status).toBe(403)
    expect((await ask({ aggregate: true, saveAggregate: false })).status).toBe(200)
  })

  test('works: after a cleared conversation everything may be returned again', async () => {
    const sessionKey = newKey()
    await hook('remember', { content: 'The sundial stands in the shade' })
    const ask = async () => (await hook('recall', { sessionKey, query: 'sundial' })).body['count']

    expect([await ask(), await ask()]).toEqual([1, 0])
    await hook('session-start', { sessionKey, source: 'clear' })
    expect([await ask(), await ask()]).toEqual([1, 0])
    await hook('session-end', { sessionKey, reason: 'clear' })
    expect([await ask(), await ask()]).toEqual([1, 0])
  })
})

describe('compaction', () => {
  test('works: the summary is saved once, and everything may be returned again', async () => {
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
      type: 'session_summary',
      content: summary,
      importance: 0.8,
      who: 'system',
      tags: 'session,summary,codex',
      source_type: 'codex',
      source_id: sessionKey,
    })
    expect((await ask()).body['count']).toBeGreaterThan(0)
    expect((await hook('compaction-complete', { sessionKey, summary })).body).toEqual(done.body)
    const replay = (await service.ask(`GET /api/sessions/${sessionKey}/blackbox`)).body
    const written = replay['events'] as { kind: string; refs: { sourcePath?: string }[] }[]
    const paths = written
      .filter(({ kind }) => kind === 'artifact.written')
      .flatMap(({ refs }) => refs.map(({ sourcePath = '' }) => sourcePath))
      .toSorted()
    expect(paths).toEqual([
      expect.stringMatching(/^memory\/[\dTZ.-]+--[a-z2-7]{16}--compaction\.md$/),
      expect.stringMatching(/^memory\/[\dTZ.-]+--[a-z2-7]{16}--manifest\.md$/),
    ])
    const texts = paths.map((path) => readFile(join(service.workspace, path), 'utf8'))
    const [artifact, manifest] = await Promise.all(texts)
    expect(artifact).toContain(`\nsession_key: "${sessionKey}"\n`)
    expect(artifact).toMatch(new RegExp(`\n---\n\n${summary}\n$`))
    expect(manifest).toContain(`\ncompaction_path: "${paths[0]}"\n`)
    const nodes = await service.ask(`GET /api/sessions/summaries?session_key=${sessionKey}`)
    expect(nodes.body['summaries']).toEqual([
      {
        id: expect.stringContaining(`${sessionKey}:compaction:`),
        kind: 'session',
        depth: 0,
        source_type: 'compaction',
        source_ref: sessionKey,
        session_key: sessionKey,
        meta_json: '{"source":"compaction-complete"}',
        content: summary,
        token_count: Math.ceil(summary.length / 4),
        childCount: 0,
        project: '/p',
        harness: 'codex',
        agent_id: 'compaction',
        earliest_at: at,
        latest_at: at,
        created_at: at,
      },
    ])
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
  test('works: the transcript so far is saved, and the session continues', async () => {
    const sessionKey = newKey()
    await hook('session-start', { sessionKey })
    await hook('user-prompt-submit', { sessionKey, userMessage: 'where is the ladder?' })
    await hook('remember', { sessionKey, content: 'The ladder is lent out' })
    const long = `${spoken}\nUser: ${'and what of the rope, the bucket and the saw? '.repeat(20)}`

    const { body } = await hook('session-checkpoint-extract', { sessionKey, transcript: long })

    expect(body).toEqual({ skipped: true })
    const transcript = await service.ask(`GET /api/sessions/${sessionKey}/transcript`)
    expect(transcript.body['content']).toContain('The ladder leans on the barn.')
    const { body: list } = await service.ask(`GET /api/checkpoints/${sessionKey}`)
    expect(list).toEqual({
      count: 1,
      checkpoints: [
        {
          id: expect.any(String),
          session_key: sessionKey,
          harness: 'codex',
          project: null,
          project_normalized: null,
          trigger: 'explicit',
          prompt_count: 1,
          digest: expect.stringMatching(
            /- where is the ladder\?\n(.*\n)*- Remembered: The ladder is lent out$/,
          ),
          memory_queries: '["ladder"]',
          recent_remembers: '["The ladder is lent out"]',
          focal_entity_ids: null,
          focal_entity_names: null,
          active_aspect_ids: null,
          surfaced_constraint_count: null,
          traversal_memory_count: null,
          created_at: at,
        },
      ],
    })
    expect((await service.ask(`GET /api/sessions/${sessionKey}`)).status).toBe(200)
  })

  test('refuses a session without a key', async () => {
    for (const sessionKey of [undefined, ' session: '])
      expect(await hook('session-checkpoint-extract', { sessionKey })).toMatchObject({
        status: 400,
        body: { error: 'harness and sessionKey are required' },
      })
  })
})

describe('skill-invocation', () => {
  test('works: records the use of a skill', async () => {
    expect((await hook('skill-invocation', { skill: 'dig', latencyMs: 5 })).body).toEqual({
      recorded: true,
    })
  })
})
