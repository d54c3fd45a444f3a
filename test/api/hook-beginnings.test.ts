import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const { hook, newKey } = hooksOf(service)

describe('a beginning', () => {
  test('works: tells all that the contract names, and the hash of what it injects', async () => {
    const { body: dora } = await service.ask('POST /api/agents', {
      body: { name: 'dora', read_policy: 'isolated' },
    })
    const content = `The gander ${'swims '.repeat(100)}home.`
    const about = { project: '/pond', agentId: 'dora' }
    const keep = async (content: string, more = {}) => {
      const body = { ...about, content, ...more }
      return (await service.ask('POST /api/memory/remember', { body })).body['id']
    }
    const id = await keep(content, { tags: 'geese,pond', pinned: true })
    const [gone, old] = [await keep('The heron is gone.'), await keep('The pond is shallow.')]
    await service.ask(`DELETE /api/memory/${gone}?reason=test`, { agent: 'dora' })
    const body = { superseded_by: id, reason: 'test' }
    await service.ask(`POST /api/memories/${old}/supersede`, { body, agent: 'dora' })

    const { body: told } = await hook('session-start', { ...about, sessionKey: newKey() })

    expect(told).toEqual({
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
      inject: `<svc-memory-context>\n${told['stableSystemPrompt']}\n\n${told['dynamicContext']}\n</svc-memory-context>\n`,
      contextHash: createHash('sha256').update(String(told['inject'])).digest('hex'),
      contextVersion: 1,
      sessionKnown: false,
      clockContext: expect.stringMatching(/^Current date\/time: [\dT:-]{19}[+-]\d\d:\d\d \(\S+\)$/),
    })
    const [memory] = told['memories'] as { readonly content: string }[]
    expect(memory?.content.length).toBeLessThanOrEqual(500)
    const read = await service.ask(`GET /api/memory/${id}`, { agent: 'dora' })
    expect(read.body).toMatchObject({ content, access_count: 0 })
    const seen = (await service.ask('GET /api/agents/dora')).body
    expect(seen).toEqual({ ...dora, updated_at: seen['updated_at'] })
    expect(Date.parse(String(seen['updated_at']))).toBeGreaterThan(
      Date.parse(String(dora['updated_at'])),
    )
  })

  test.each(['session-start', 'remember'])('works: %s has an agent known', async (name) => {
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
    'works: %s names the session it comes from',
    async (name) => {
      const parent = newKey()
      await hook('user-prompt-submit', { sessionKey: parent, userMessage: 'mend the weir' })

      const { body } = await hook('session-start', { sessionKey: newKey(), [name]: parent })

      expect(body['dynamicContext']).toContain('## Inherited Parent Context')
      expect(body['dynamicContext']).toContain('User: mend the weir')
    },
  )

  test('works: is told anew after a clear end and after a restart, and only then', async () => {
    const sessionKey = newKey()
    const begin = async () => (await hook('session-start', { sessionKey })).body
    const stub = { identity: { name: 'Agent' }, memories: [], stableSystemPrompt: '' }
    await service.ask('POST /api/memory/remember', { body: { content: 'The weir leaks.' } })
    await begin()

    await hook('session-end', { sessionKey })
    expect(await begin()).toMatchObject(stub)
    await hook('session-end', { sessionKey, reason: 'clear' })
    expect(await begin()).not.toMatchObject({ stableSystemPrompt: '' })
    expect(await begin()).toMatchObject(stub)
    await service.restart()
    expect(await begin()).not.toMatchObject({ stableSystemPrompt: '' })
  })
})
