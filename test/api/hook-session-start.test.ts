import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const { hook, newKey } = hooksOf(service)

describe('session start', () => {
  test('returns the fields of the contract and the hash of the injected text', async () => {
    const { body: dora } = await service.ask('POST /api/agents', {
      body: { name: 'dora', read_policy: 'isolated' },
    })
    const content = `The gander ${'swims '.repeat(100)}home.`
    const about = { project: '/pond', agentId: 'dora' }
    const remember = async (content: string, more = {}) => {
      const body = { ...about, content, ...more }
      return (await service.ask('POST /api/memory/remember', { body })).body['id']
    }
    const id = await remember(content, { tags: 'geese,pond', pinned: true })
    const [forgotten, old] = [
      await remember('The heron is gone.'),
      await remember('The pond is shallow.'),
    ]
    await service.ask(`DELETE /api/memory/${forgotten}?reason=test`, { agent: 'dora' })
    const body = { superseded_by: id, reason: 'test' }
    await service.ask(`POST /api/memories/${old}/supersede`, { body, agent: 'dora' })

    const { body: reply } = await hook('session-start', { ...about, sessionKey: newKey() })

    expect(reply).toEqual({
      identity: { name: 'Agent' },
      memories: [
        {
          id,
          content: expect.stringMatching(/^The gander (swims )+swims…$/),
          truncated: true,
          type: 'fact',
          importance: 0.8,
          created_at: expect.any(String),
          tags: 'geese,pond',
          project: '/pond',
          pinned: true,
          source_type: 'manual',
          source_id: null,
          source_path: null,
        },
      ],
      stableSystemPrompt: expect.stringMatching(/^## Memory\n/),
      dynamicContext: expect.stringContaining('[geese, pond]'),
      inject: `<svc-memory-context>\n${reply['stableSystemPrompt']}\n\n${reply['dynamicContext']}\n</svc-memory-context>\n`,
      contextHash: createHash('sha256').update(String(reply['inject'])).digest('hex'),
      contextVersion: 1,
      sessionKnown: false,
      clockContext: expect.stringMatching(/^Current date\/time: [\dT:-]{19}[+-]\d\d:\d\d \(\S+\)$/),
    })
    const [memory] = reply['memories'] as { readonly content: string }[]
    expect(memory?.content.length).toBeLessThanOrEqual(500)
    const read = await service.ask(`GET /api/memory/${id}`, { agent: 'dora' })
    expect(read.body).toMatchObject({ content, access_count: 0 })
    const seen = (await service.ask('GET /api/agents/dora')).body
    expect(seen).toEqual({ ...dora, updated_at: seen['updated_at'] })
    expect(Date.parse(String(seen['updated_at']))).toBeGreaterThan(
      Date.parse(String(dora['updated_at'])),
    )
  })

  test.each(['session-start', 'remember'])('%s registers the agent', async (name) => {
    const agentId = `new-${name}`

    await hook(name, { agentId, content: 'a ladder', sessionKey: newKey() })

    expect((await service.ask(`GET /api/agents/${agentId}`)).body).toMatchObject({
      id: agentId,
      name: agentId,
      read_policy: 'shared',
      policy_group: null,
    })
  })

  test.each(['parentSessionKey', 'parentKey', 'parentId', 'parentID'])(
    '%s names the parent session',
    async (name) => {
      const parent = newKey()
      await hook('user-prompt-submit', { sessionKey: parent, userMessage: 'mend the weir' })

      const { body } = await hook('session-start', { sessionKey: newKey(), [name]: parent })

      expect(body['dynamicContext']).toContain('## Inherited Parent Context')
      expect(body['dynamicContext']).toContain('User: mend the weir')
    },
  )

  test('returns the full context again only after a clear and after a restart', async () => {
    const sessionKey = newKey()
    const start = async () => (await hook('session-start', { sessionKey })).body
    const stub = { identity: { name: 'Agent' }, memories: [], stableSystemPrompt: '' }
    await service.ask('POST /api/memory/remember', { body: { content: 'The weir leaks.' } })
    await start()

    await hook('session-end', { sessionKey })
    expect(await start()).toMatchObject(stub)
    await hook('session-end', { sessionKey, reason: 'clear' })
    expect(await start()).not.toMatchObject({ stableSystemPrompt: '' })
    expect(await start()).toMatchObject(stub)
    await service.restart()
    expect(await start()).not.toMatchObject({ stableSystemPrompt: '' })
  })
})
