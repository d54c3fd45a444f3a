import { expect } from 'vitest'
import { hashSession } from '../sessions/index.ts'
import { begin, hook, hooksNeeds, listAdvances, onEachEngine } from './hooks.fixture.ts'
import { submitPrompt } from './prompt/submit-prompt.ts'
import { endSession } from './session-end.ts'

const ada = { agentId: 'ada', agentIds: ['ada'], project: '/p', limit: 5 }

onEachEngine('the end of a session is announced, that of a turn as one', async (db) => {
  const { needs, announced } = await hooksNeeds(db)
  const end = (sessionKey: string, reason?: string) =>
    endSession(needs, { hook: hook({ sessionKey }), reason })
  const boundaries = [
    ...['clear', 'session.deleted', 'session_branch', 'session_fork', 'session_shutdown'],
    ...['session_switch', 'stale-session-sweep', 'expired', undefined],
  ]
  for (const reason of boundaries) await end(`over-${reason}`, reason)
  await end('goes-on', 'stop')
  await end('over-clear')

  expect(announced.map(([event]) => event)).toEqual([
    ...boundaries.map(() => 'session.ended'),
    'session.turned',
  ])
})

onEachEngine('who has no key is no longer there after its end', async (db) => {
  const { needs } = await hooksNeeds(db)
  const nobody = hook({ sessionKey: undefined })
  await begin(needs, { hook: nobody })
  const others = () => needs.sessions.peers({ ...ada, sessionKey: 'other' })
  expect(await others()).toHaveLength(1)

  expect(await endSession(needs, { hook: nobody })).toEqual({ memoriesSaved: 0, queued: false })

  expect(await others()).toEqual([])
})

onEachEngine(
  'an end is told by the name of its session, by whichever field it has it',
  async (db) => {
    const { needs, announced } = await hooksNeeds(db)
    const sessionKey = 'session:six'
    await endSession(needs, { hook: hook({ sessionKey: undefined }), sessionId: sessionKey })

    const session = hashSession('six')
    expect(announced).toEqual([['session.ended', expect.objectContaining({ session })]])
  },
)

onEachEngine(
  'what is said while the session ends is closed as well, once it is silent',
  async (db) => {
    const { needs, sweepSessions } = await hooksNeeds(db)
    const id = { agentId: 'ada', sessionKey: 'one' }
    const find = () => needs.transcripts.find(db, id)
    await submitPrompt(needs, { hook: hook(), userMessage: 'mend the gate' })
    const readInput: typeof needs.transcripts.readInput = async (input) => {
      await endSession(needs, { hook: hook() })
      return needs.transcripts.readInput(input)
    }
    const ending = { ...needs, transcripts: { ...needs.transcripts, readInput } }

    await submitPrompt(ending, { hook: hook(), userMessage: 'and the fence' })
    expect(await find()).toMatchObject({ completedAt: null })
    needs.host.advance(4 * 3_600_000)
    await sweepSessions()

    expect(await find()).toMatchObject({
      ...{ completedAt: expect.any(String), content: 'User: mend the gate\nUser: and the fence' },
    })
    expect(await needs.sessions.find(id)).toBeUndefined()
  },
)

onEachEngine('prompts and ends at the same moment wait for each other in one order', async (db) => {
  const { needs } = await hooksNeeds(db)
  const at = (sessionKey: string) => ({ hook: hook({ sessionKey }) })
  const say = (key: string) => submitPrompt(needs, { ...at(key), userMessage: 'paint the barn' })

  for (const key of ['a', 'b', 'c', 'd']) {
    await say(key)
    const ends = [endSession(needs, at(key)), endSession(needs, at(key))]
    const told = await Promise.all([say(key), ...ends, say(key)])
    expect(told).toHaveLength(4)
  }
})

onEachEngine(
  'a cleared conversation counts as told no more, and has its checkpoint',
  async (db) => {
    const { needs } = await hooksNeeds(db)
    await submitPrompt(needs, { hook: hook(), userMessage: 'mend the gate' })

    await endSession(needs, { hook: hook(), reason: 'clear' })
    await endSession(needs, { hook: hook({ sessionKey: 'two' }), reason: 'clear' })

    const session = { agentId: 'ada', sessionKey: 'one' }
    const checkpoint = await needs.transcripts.findCheckpoint(db, session)
    expect(await listAdvances(db)).toEqual(
      expect.arrayContaining([
        { sessionKey: 'one', reason: 'session-clear', sourceRef: checkpoint?.id },
        { sessionKey: 'two', reason: 'session-clear', sourceRef: null },
      ]),
    )
  },
)
