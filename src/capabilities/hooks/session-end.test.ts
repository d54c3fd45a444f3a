import { expect } from 'vitest'
import { hashSession } from '../sessions/index.ts'
import {
  hook,
  hooksNeeds,
  listLedgerResets,
  onEachEngine,
  startWithContext,
} from './hooks.fixture.ts'
import { submitPrompt } from './prompt/submit-prompt.ts'
import { endSession } from './session-end.ts'

const ada = { agentId: 'ada', agentIds: ['ada'], project: '/p', limit: 5 }

onEachEngine('emits session.ended for an end and session.turned for a turn', async (db) => {
  const { needs, emitted } = await hooksNeeds(db)
  const end = (sessionKey: string, reason?: string) =>
    endSession(needs, { hook: hook({ sessionKey }), reason })
  const boundaries = [
    'clear',
    'session.deleted',
    'session_branch',
    'session_fork',
    'session_shutdown',
    'session_switch',
    'stale-session-sweep',
    'expired',
    undefined,
  ]
  for (const reason of boundaries) await end(`ended-${reason}`, reason)
  await end('open', 'stop')
  await end('ended-clear')

  expect(emitted.map(([event]) => event)).toEqual([
    ...boundaries.map(() => 'session.ended'),
    'session.turned',
  ])
})

onEachEngine('an end without a session key deletes the presence', async (db) => {
  const { needs } = await hooksNeeds(db)
  const keyless = hook({ sessionKey: undefined })
  await startWithContext(needs, { hook: keyless })
  const listPeers = () => needs.sessions.peers({ ...ada, sessionKey: 'other' })
  expect(await listPeers()).toHaveLength(1)

  expect(await endSession(needs, { hook: keyless })).toEqual({ memoriesSaved: 0, queued: false })

  expect(await listPeers()).toEqual([])
})

onEachEngine('an end identifies its session by key or id', async (db) => {
  const { needs, emitted } = await hooksNeeds(db)
  const sessionKey = 'session:six'
  await endSession(needs, { hook: hook({ sessionKey: undefined }), sessionId: sessionKey })

  const session = hashSession('six')
  expect(emitted).toEqual([['session.ended', expect.objectContaining({ session })]])
})

onEachEngine(
  'the sweep completes a transcript with a prompt recorded during the end',
  async (db) => {
    const { needs, sweepSessions } = await hooksNeeds(db)
    const id = { agentId: 'ada', sessionKey: 'one' }
    const find = () => needs.transcripts.find(db, id)
    await submitPrompt(needs, { hook: hook(), userMessage: 'mend the gate' })
    const readInput: typeof needs.transcripts.readInput = async (input) => {
      await endSession(needs, { hook: hook() })
      return needs.transcripts.readInput(input)
    }
    const duringEnd = { ...needs, transcripts: { ...needs.transcripts, readInput } }

    await submitPrompt(duringEnd, { hook: hook(), userMessage: 'and the fence' })
    expect(await find()).toMatchObject({ completedAt: null })
    needs.host.advance(4 * 3_600_000)
    await sweepSessions()

    expect(await find()).toMatchObject({
      completedAt: expect.any(String),
      content: 'User: mend the gate\nUser: and the fence',
    })
    expect(await needs.sessions.find(id)).toBeUndefined()
  },
)

onEachEngine('concurrent prompts and ends do not deadlock', async (db) => {
  const { needs } = await hooksNeeds(db)
  const inSession = (sessionKey: string) => ({ hook: hook({ sessionKey }) })
  const submit = (key: string) =>
    submitPrompt(needs, { ...inSession(key), userMessage: 'paint the barn' })

  for (const key of ['a', 'b', 'c', 'd']) {
    await submit(key)
    const ends = [endSession(needs, inSession(key)), endSession(needs, inSession(key))]
    const replies = await Promise.all([submit(key), ...ends, submit(key)])
    expect(replies).toHaveLength(4)
  }
})

onEachEngine('a clear resets the ledger and refers to the checkpoint', async (db) => {
  const { needs } = await hooksNeeds(db)
  await submitPrompt(needs, { hook: hook(), userMessage: 'mend the gate' })

  await endSession(needs, { hook: hook(), reason: 'clear' })
  await endSession(needs, { hook: hook({ sessionKey: 'two' }), reason: 'clear' })

  const session = { agentId: 'ada', sessionKey: 'one' }
  const checkpoint = await needs.transcripts.findCheckpoint(db, session)
  expect(await listLedgerResets(db)).toEqual(
    expect.arrayContaining([
      { sessionKey: 'one', reason: 'session-clear', sourceRef: checkpoint?.id },
      { sessionKey: 'two', reason: 'session-clear', sourceRef: null },
    ]),
  )
})
