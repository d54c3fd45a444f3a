import { expect } from 'vitest'
import { transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { extractCheckpoint } from '../checkpoint.ts'
import { hook, hooksNeeds, onEachEngine, startWithContext } from '../hooks.fixture.ts'
import { prepareCompaction } from '../pre-compaction.ts'
import { submitPrompt } from '../prompt/submit-prompt.ts'
import { endSession } from '../session-end.ts'

const paintPrompt = /^- The user \w+: paint the barn$/m

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
  expect(parentAgain.dynamicContext).toMatch(paintPrompt)
  needs.host.advance(4 * 3_600_000 - 1)
  const soon = await startWithContext(needs, { hook: hook({ sessionKey: 'soon' }) })
  expect(soon.dynamicContext).toMatch(paintPrompt)
  needs.host.advance(1)
  const late = await startWithContext(needs, { hook: hook({ sessionKey: 'late' }) })
  expect(late.dynamicContext).not.toMatch(paintPrompt)
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

onEachEngine('recovery is shown only if the last session of the project broke off', async (db) => {
  const { needs } = await hooksNeeds(db)
  const submit = (sessionKey: string, userMessage: string, project = '/p') =>
    submitPrompt(needs, { hook: hook({ sessionKey, project }), userMessage })
  const save = (sessionKey: string) => prepareCompaction(needs, { hook: hook({ sessionKey }) })
  const startNew = async (sessionKey: string, more: object = {}) =>
    (await startWithContext(needs, { hook: hook({ sessionKey, ...more }) })).dynamicContext
  await submit('ended', 'paint the barn')
  await submit('ended', 'Streiche das Tor!')
  await save('ended')

  const broken = await startNew('second')
  expect(broken).toContain('## Session Recovery Context')
  expect(broken).toMatch(/\n- The user \w+: paint the barn\n- The user \w+: Streiche das Tor!/)
  expect(broken).not.toMatch(/^- paint|Queries:|Project: /m)
  expect(await startNew('third', { project: '/q' })).not.toContain('Recovery')

  needs.host.advance(1000)
  await endSession(needs, { hook: hook({ sessionKey: 'ended' }) })
  expect(await startNew('fourth')).not.toContain('Recovery')
})

onEachEngine('an end without new prompts ends a session properly too', async (db) => {
  const { needs } = await hooksNeeds(db)
  const own = hook({ sessionKey: 'long' })
  await submitPrompt(needs, { hook: own, userMessage: 'paint the barn' })
  const transcript = `User: paint the barn\nAssistant: ${'It is painted now. '.repeat(40)}`
  await extractCheckpoint(needs, { hook: own, transcript })
  const startNew = async (sessionKey: string) =>
    (await startWithContext(needs, { hook: hook({ sessionKey }) })).dynamicContext
  expect(await startNew('second')).toMatch(paintPrompt)

  needs.host.advance(1000)
  await endSession(needs, { hook: own })
  needs.host.advance(3 * 3_600_000)
  expect(await startNew('third')).not.toContain('Recovery')
})
