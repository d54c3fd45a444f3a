import { expect } from 'vitest'
import { transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { hook, hooksNeeds, onEachEngine, startWithContext } from '../hooks.fixture.ts'

onEachEngine('renders the checkpoint, and the context that a sub-agent inherits', async (db) => {
  const { needs } = await hooksNeeds(db)
  const parent = { agentId: 'ada', sessionKey: 'agent:ada:main', harness: 'codex', project: '/p' }
  await needs.sessions.recordActivity(db, parent, { prompt: toCleanText('paint the barn') })
  await transaction(db, (db) =>
    needs.sessions.checkpoint(db, { id: parent, trigger: 'periodic', ends: false }),
  )
  const turns = [
    { role: 'assistant', text: `long ago ${'x '.repeat(3000)}` },
    { role: 'user', text: 'paint the barn red' },
  ] as const
  await needs.transcripts.appendLive(db, { ...parent, turns })

  const child = await startWithContext(needs, {
    hook: hook({ sessionKey: 'agent:ada:subagent:x' }),
  })

  expect(child.dynamicContext).toContain('## Inherited Parent Context')
  expect(child.dynamicContext).toMatch(
    /### Parent Transcript \(end\)\n(x )+x\n> User: paint the barn red/,
  )
  expect(child.dynamicContext.length).toBeLessThan(4000)
  const parentAgain = await startWithContext(needs, {
    hook: hook({ sessionKey: 'agent:ada:main' }),
  })
  expect(parentAgain.dynamicContext).toContain('## Session Recovery Context')
  expect(parentAgain.dynamicContext).toContain('- paint the barn')
  needs.host.advance(4 * 3_600_000 - 1)
  const soon = await startWithContext(needs, { hook: hook({ sessionKey: 'soon' }) })
  expect(soon.dynamicContext).toContain('- paint the barn')
  needs.host.advance(1)
  const late = await startWithContext(needs, { hook: hook({ sessionKey: 'late' }) })
  expect(late.dynamicContext).not.toContain('- paint the barn')
})

onEachEngine('a sub-agent without a parent key inherits from the last session', async (db) => {
  const { needs } = await hooksNeeds(db)
  const turns = [{ role: 'user', text: 'paint the barn red' }] as const
  const parent = { agentId: 'ada', sessionKey: 'sender', harness: 'codex', project: '/p', turns }
  await needs.transcripts.appendLive(db, parent)

  const child = await startWithContext(needs, { harnessAgentId: 'painter' })
  expect(child.dynamicContext).toContain('User: paint the barn red')
  const other = await startWithContext(needs, { hook: hook({ sessionKey: 'two' }) })
  expect(other.dynamicContext).not.toContain('paint the barn')
})
