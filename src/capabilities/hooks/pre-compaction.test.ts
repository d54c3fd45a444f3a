import { expect } from 'vitest'
import { hook, hooksNeeds, onEachEngine, withSettings } from './hooks.fixture.ts'
import { prepareCompaction } from './pre-compaction.ts'

onEachEngine(
  'the prompt contains the guidelines and the maximum length of a summary',
  async (db) => {
    const { needs, remember } = await hooksNeeds(db)
    await remember('The barn is red.', { sessionId: 'one' })

    const reply = await prepareCompaction(needs, { hook: hook() })
    const settings = {
      preCompaction: { summaryGuidelines: 'Keep the barn.', maxSummaryChars: 900 },
    }
    const customReply = await prepareCompaction(withSettings(needs, settings), { hook: hook() })

    expect(reply.guidelines).toContain('decisions and why they were made')
    expect(reply.summaryPrompt).toContain('- The barn is red.')
    expect(reply.instructions).toBe(reply.summaryPrompt)
    expect(customReply.guidelines).toBe('Keep the barn.\nWrite 900 characters at most.')
  },
)

onEachEngine('a failed checkpoint does not fail a pre-compaction', async (db) => {
  const { needs } = await hooksNeeds(db)
  const checkpoint = () => Promise.reject(new Error('out of reach'))

  const reply = await prepareCompaction(
    { ...needs, sessions: { ...needs.sessions, checkpoint } },
    { hook: hook() },
  )

  expect(reply.guidelines).toContain('open threads')
})

onEachEngine('the prompt lists memories by recency, then importance', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const dayMs = 86_400_000
  const listWords = async (preCompaction: object = {}) => {
    const { summaryPrompt } = await prepareCompaction(withSettings(needs, { preCompaction }), {
      hook: hook(),
    })
    return [...summaryPrompt.matchAll(/- The barn is (\w+)\./g)].map(([, word]) => word)
  }
  const sessionId = 'one'
  await remember('The barn is old.', { importance: 1, sessionId })
  needs.host.advance(20 * dayMs)
  await remember('The barn is light.', { importance: 0.1, sessionId })
  await remember('The barn is heavy.', { importance: 0.9, sessionId })
  expect(await listWords()).toEqual(['heavy', 'light', 'old'])

  for (const word of ['red', 'green', 'blue']) await remember(`The barn is ${word}.`, { sessionId })
  expect(await listWords()).toHaveLength(5)
  expect(await listWords({ memoryLimit: 1 })).toEqual(['heavy'])
  expect(await listWords({ memoryLimit: 0 })).toEqual([])
  expect(await listWords({ includeRecentMemories: false })).toEqual([])
})

onEachEngine('the prompt names only memories of the session', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('The barn is red.', { sessionId: 'one' })
  await remember('Der Stall ist grün.', { sessionId: 'session:one' })
  await remember('The gate is open.', { sessionId: 'two', pinned: true })
  await remember('The roof leaks.', { importance: 1 })
  const promptOf = async (more: object = {}) =>
    (await prepareCompaction(needs, { hook: hook(more) })).summaryPrompt

  expect(await promptOf()).toMatch(/Memories of this session:\n\n- .*barn.*\n- .*Stall[^\n]*$/)
  expect(await promptOf({ sessionKey: 'three' })).not.toContain('Memories of this session')
  expect(await promptOf({ sessionKey: undefined })).not.toContain('Memories of this session')
})
