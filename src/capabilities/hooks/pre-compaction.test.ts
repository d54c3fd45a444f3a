import { expect } from 'vitest'
import { hook, hooksNeeds, onEachEngine, withHooks } from './hooks.fixture.ts'
import { prepareCompaction } from './pre-compaction.ts'

onEachEngine(
  'the prompt contains the guidelines and the maximum length of a summary',
  async (db) => {
    const { needs, remember } = await hooksNeeds(db)
    await remember('The barn is red.')

    const usual = await prepareCompaction(needs, { hook: hook() })
    const set = { preCompaction: { summaryGuidelines: 'Keep the barn.', maxSummaryChars: 900 } }
    const own = await prepareCompaction(withHooks(needs, set), { hook: hook() })

    expect(usual.guidelines).toContain('decisions and why they were made')
    expect(usual.summaryPrompt).toContain('- The barn is red.')
    expect(usual.instructions).toBe(usual.summaryPrompt)
    expect(own.guidelines).toBe('Keep the barn.\nWrite 900 characters at most.')
  },
)

onEachEngine('a failed checkpoint does not fail a pre-compaction', async (db) => {
  const { needs } = await hooksNeeds(db)
  const checkpoint = () => Promise.reject(new Error('out of reach'))

  const told = await prepareCompaction(
    { ...needs, sessions: { ...needs.sessions, checkpoint } },
    { hook: hook() },
  )

  expect(told.guidelines).toContain('open threads')
})

onEachEngine('the prompt lists memories by recency, then importance', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const dayMs = 86_400_000
  const told = async (preCompaction: object = {}) => {
    const { summaryPrompt } = await prepareCompaction(withHooks(needs, { preCompaction }), {
      hook: hook(),
    })
    return [...summaryPrompt.matchAll(/- The barn is (\w+)\./g)].map(([, word]) => word)
  }
  await remember('The barn is old.', { importance: 1 })
  needs.host.advance(20 * dayMs)
  await remember('The barn is light.', { importance: 0.1 })
  await remember('The barn is heavy.', { importance: 0.9 })
  expect(await told()).toEqual(['heavy', 'light', 'old'])

  for (const word of ['red', 'green', 'blue']) await remember(`The barn is ${word}.`)
  expect(await told()).toHaveLength(5)
  expect(await told({ memoryLimit: 1 })).toEqual(['heavy'])
  expect(await told({ memoryLimit: 0 })).toEqual([])
  expect(await told({ includeRecentMemories: false })).toEqual([])
})
