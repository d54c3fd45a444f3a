import { expect } from 'vitest'
import { begin, hook, hooksNeeds, onEachEngine } from './hooks.fixture.ts'
import { endSession } from './session-end.ts'

const ada = { agentId: 'ada', agentIds: ['ada'], project: '/p', limit: 5 }

onEachEngine('the end of a session is announced, that of a turn as one', async (db) => {
  const { needs, announced } = await hooksNeeds(db)
  const end = (sessionKey: string, reason?: string) =>
    endSession(needs, { hook: hook({ sessionKey }), reason })
  await end('one')
  await end('two', 'session_shutdown')
  await end('three', 'stop')
  await end('one')

  expect(announced.map(([event]) => event)).toEqual([
    ...['session.ended', 'session.ended', 'session.turned'],
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
