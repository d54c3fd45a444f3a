import { expect } from 'vitest'
import { hook, hooksNeeds, onEachEngine, withHooks } from './hooks.fixture.ts'
import { prepareCompaction } from './pre-compaction.ts'

onEachEngine(
  'a summary is told what to keep, and how long it may be where that is set',
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
