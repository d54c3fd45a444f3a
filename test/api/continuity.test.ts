import { expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('cora')

const { hook, newKey } = hooksOf(service)

test('lists session scores, newest first', async () => {
  const project = '/served'
  const content = 'The weathervane rusts every October'
  await service.ask('POST /api/memory/remember', { body: { content, project } })
  const sessions: string[] = []
  for (const userMessage of ['does the weathervane rusts in October?', 'what of the barn?']) {
    const sessionKey = newKey()
    sessions.push(sessionKey)
    await hook('session-start', { sessionKey, project })
    await hook('user-prompt-submit', { sessionKey, project, userMessage })
    await hook('session-end', { sessionKey, project })
  }
  const ask = async (query: string) =>
    (await service.ask(`GET /api/analytics/continuity${query}`)).body

  const { scores, summary } = await ask(`?project=${project}`)

  const scored = { id: expect.any(String), project, harness: 'codex', novel_context_count: 0 }
  expect(scores).toEqual([
    {
      ...scored,
      score: 0,
      memories_recalled: 1,
      memories_used: 0,
      reasoning: expect.stringContaining('0 of 1'),
      session_key: sessions[1],
      created_at: expect.any(String),
    },
    expect.objectContaining({ ...scored, score: 0.7, memories_recalled: 1, memories_used: 1 }),
  ])
  expect(summary).toEqual({ count: 2, average: 0.35, trend: -0.7, latest: 0 })
  expect(await ask(`?project=${project}&limit=1`)).toMatchObject({ summary: { count: 1 } })
  const latest = (await ask('/latest'))['scores'] as { project: string }[]
  expect(latest.filter((each) => each.project === project)).toEqual([
    { project, score: 0, created_at: expect.any(String) },
  ])
})
