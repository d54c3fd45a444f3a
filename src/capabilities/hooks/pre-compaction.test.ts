import { expect } from 'vitest'
import { hook, hooksNeeds, onEachEngine, withSettings } from './hooks.fixture.ts'
import { prepareCompaction } from './pre-compaction.ts'

onEachEngine(
  'the prompt contains the guidelines and the maximum length of a summary',
  async (db) => {
    const { needs, remember } = await hooksNeeds(db)
    await remember('The barn is red.')

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
  await remember('The barn is old.', { importance: 1 })
  needs.host.advance(20 * dayMs)
  await remember('The barn is light.', { importance: 0.1 })
  await remember('The barn is heavy.', { importance: 0.9 })
  expect(await listWords()).toEqual(['heavy', 'light', 'old'])

  for (const word of ['red', 'green', 'blue']) await remember(`The barn is ${word}.`)
  expect(await listWords()).toHaveLength(5)
  expect(await listWords({ memoryLimit: 1 })).toEqual(['heavy'])
  expect(await listWords({ memoryLimit: 0 })).toEqual([])
  expect(await listWords({ includeRecentMemories: false })).toEqual([])
})
