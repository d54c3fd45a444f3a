import { expect } from 'vitest'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const records = [
  { role: 'user', content: 'look around' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'so I do' },
      { type: 'tool_use', name: 'ls' },
    ],
  },
  { role: 'tool', content: 'the answer of a tool' },
  { role: 'user', content: [{ type: 'tool_result', content: 'another answer' }] },
]

onEachEngine('of a complete session the words and the names of tools are evidence', async (db) => {
  const { transcripts } = transcriptsFor(db)
  const transcript = records.map((record) => JSON.stringify(record)).join('\n')
  const read = await transcripts.readInput({ harness: 'codex', transcript })
  await transcripts.keepSnapshot(db, { ...session, read, complete: false })
  const list = () => transcripts.listEvidence(db, { agentId: 'ada', limit: 10 })

  expect(await list()).toEqual([])
  await transcripts.keepSnapshot(db, { ...session, complete: true })

  expect(await list()).toMatchObject([
    { sessionKey: 's1', text: 'User: look around\nAssistant: so I do [tool: ls]' },
  ])
})

onEachEngine('evidence is read page by page, and none of another agent’s', async (db) => {
  const { transcripts } = transcriptsFor(db, { hygiene: () => 'off' })
  const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
  const read = await transcripts.readInput({ harness: 'codex', transcript: `User: ${token}` })
  for (const sessionKey of ['s1', 's2', 's3'])
    await transcripts.keepSnapshot(db, { ...session, sessionKey, read, complete: true })
  await transcripts.keepSnapshot(db, { ...session, agentId: 'bob', read, complete: true })

  const [first, second] = await transcripts.listEvidence(db, { agentId: 'ada', limit: 2 })
  const rest = await transcripts.listEvidence(db, { agentId: 'ada', after: second, limit: 2 })

  expect([first, second, ...rest].map((one) => one?.sessionKey)).toEqual(['s1', 's2', 's3'])
  expect(first?.text).toBe('User: [REDACTED]')
})
