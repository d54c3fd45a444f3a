import { expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startService } from '../support/start-service.ts'

// Statistics of other stores decide which row is sure, so this file has a daemon of its own.
const service = await startService()
const agentId = 'listener'
const { hook, newKey } = hooksOf(service, { agentId })

async function recall(query: string, more: object = {}) {
  const { body } = await service.ask('POST /api/memory/recall', {
    agent: agentId,
    body: { query, ...more },
  })
  return (body['results'] as { id: string }[]).map(({ id }) => id)
}

test.each([
  ['where does the numbat sleep', 'the numbat sleeps in a hollow log'],
  ['wo wohnt der Siebenschläfer', 'der Siebenschläfer wohnt unter dem Dach'],
])('%j: transcripts answer, but never the calling session', async (query, text) => {
  const [earlier, calling] = [newKey(), newKey()]
  await hook('user-prompt-submit', { sessionKey: earlier, userMessage: text })
  await hook('user-prompt-submit', { sessionKey: calling, userMessage: query })

  for (const sessionKey of [calling, `session:${calling}`])
    expect(await recall(query, { sessionKey, includeRecalled: true })).toEqual([
      `transcript:${earlier}`,
    ])
  const { body } = await hook('recall', { query, sessionKey: `session:${calling}` })
  expect(JSON.stringify(body['results'])).not.toContain(`transcript:${calling}`)
  expect(await recall(query, { excludedSessions: [earlier, calling] })).toEqual([])
})

test('weak rows come with transcript hits, sure rows alone', async () => {
  const sessionKey = newKey()
  const userMessage = 'the wombat digs below the fence of the northern paddock'
  await hook('user-prompt-submit', { sessionKey, userMessage })
  for (const content of ['A wombat was seen on Monday.', 'The jerboa jumps over the wall.'])
    await service.ask('POST /api/memory/remember', { agent: agentId, body: { content } })

  expect(await recall('who digs below the fence of the northern paddock, the wombat?')).toContain(
    `transcript:${sessionKey}`,
  )
  expect(await recall('The jerboa jumps over the wall')).not.toContain(`transcript:${sessionKey}`)
})
