import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import type { Turn } from './transcript.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const toTurn = (role: Turn['role'], text: string): Turn => ({ role, text })
const [hello, answer, thanks] = [
  toTurn('user', 'hello'),
  toTurn('assistant', 'hi'),
  toTurn('user', 'ta'),
]

function snapshotFixture(db: Db) {
  const { transcripts, workUntil } = transcriptsFor(db)
  const save = async (lines: readonly string[], complete = false) => {
    const transcript = lines.join('\n')
    const read = await transcripts.readInput({ harness: 'codex', transcript })
    return transcripts.saveSnapshot(db, { ...session, read, complete })
  }
  const stored = async () => (await transcripts.find(db, session))?.content.split('\n')
  return { transcripts, save, stored, workUntil }
}

onEachEngine('stores the longer snapshot', async (db) => {
  const { save, stored } = snapshotFixture(db)

  expect(await save(['User: a', 'Assistant: b'])).toMatchObject({ outcome: 'created' })
  expect(await save(['User: a'])).toMatchObject({ outcome: 'retained' })
  expect(await save(['User: a', 'Assistant: b', 'User: c'])).toMatchObject({ outcome: 'changed' })
  expect(await save(['User: x'])).toMatchObject({ outcome: 'retained' })
  expect(await stored()).toEqual(['User: a', 'Assistant: b', 'User: c'])
})

onEachEngine('replaces a complete transcript only by its continuation', async (db) => {
  const { save, stored } = snapshotFixture(db)
  const first = ['User: a', 'Assistant: b']

  expect((await save(first, true))?.transcript.completedAt).not.toBeNull()
  expect(await save(['User: a'], true)).toMatchObject({ outcome: 'retained' })
  expect(await save(['User: quite another and longer one', 'User: y'], true)).toMatchObject({
    outcome: 'mismatch',
  })
  expect(await stored()).toEqual(first)
  const open = await save([...first, 'User: c'])
  expect(open).toMatchObject({ outcome: 'changed', transcript: { completedAt: null } })
})

onEachEngine('joins a truncated snapshot at the overlap', async (db) => {
  const { save, stored } = snapshotFixture(db)
  await save(['User: a', 'Assistant: b', 'User: c', 'Assistant: d'], true)

  await save(['User: c', 'Assistant: d', 'User: e'], true)

  expect(await stored()).toEqual(['User: a', 'Assistant: b', 'User: c', 'Assistant: d', 'User: e'])
})

onEachEngine('an empty snapshot changes only the completion', async (db) => {
  const { transcripts, save } = snapshotFixture(db)

  expect(await transcripts.saveSnapshot(db, { ...session, complete: true })).toBeUndefined()
  await save(['User: a'])
  const result = await transcripts.saveSnapshot(db, { ...session, complete: true })
  expect(result).toMatchObject({ outcome: 'unchanged', transcript: { content: 'User: a' } })
  expect(result?.transcript.completedAt).not.toBeNull()
})

onEachEngine('after a compaction the archived content is read until it is replaced', async (db) => {
  const { transcripts, save, stored } = snapshotFixture(db)
  await save(['User: a', 'Assistant: b', 'User: c'], true)

  await transcripts.archive(db, session)
  await transcripts.catchUp()
  expect(await stored()).toHaveLength(3)
  await transcripts.appendLive(db, { ...session, turns: [thanks] })
  expect(await stored()).toEqual(['User: a', 'Assistant: b', 'User: c', 'User: ta'])
  await transcripts.catchUp()
  await save(['User: d'])
  expect(await stored()).toEqual(['[truncated]', 'User: d'])
})

onEachEngine('appends a live turn once', async (db) => {
  const { transcripts, stored } = snapshotFixture(db)
  const append = (...turns: readonly Turn[]) => transcripts.appendLive(db, { ...session, turns })

  await append(hello)
  await append(hello, answer)
  await append(answer, thanks)
  await append(thanks)
  await append({ role: 'user', text: '<private>x</private>' })

  expect(await stored()).toEqual(['User: hello', 'Assistant: hi', 'User: ta'])
})

onEachEngine('drops the oldest turns of a session that is too long', async (db) => {
  const { transcripts, save, stored } = snapshotFixture(db)
  const line = `User: ${'word '.repeat(20_000)}end`
  await save(Array.from({ length: 41 }, () => line))
  expect(await stored()).toHaveLength(41)

  await transcripts.appendLive(db, {
    ...session,
    turns: [toTurn('user', `x${line.slice(6)}`), thanks],
  })

  const lines = (await stored()) ?? []
  expect([lines[0], lines.at(-1)]).toEqual(['[truncated]', 'User: ta'])
  expect(lines).toHaveLength(1 + 35 + 2)
})

onEachEngine('saves the turns of eight concurrent writers', async (db) => {
  const { transcripts, stored } = snapshotFixture(db)
  const words = Array.from({ length: 8 }, (_, index) => `turn ${index}`)

  await Promise.all(
    words.map((text) => transcripts.appendLive(db, { ...session, turns: [toTurn('user', text)] })),
  )

  expect((await stored())?.toSorted()).toEqual(words.map((text) => `User: ${text}`))
})

onEachEngine('separates equal session keys of different agents', async (db) => {
  const { transcripts, stored } = snapshotFixture(db)
  await transcripts.appendLive(db, { ...session, turns: [hello] })

  await transcripts.appendLive(db, { ...session, agentId: 'bob', turns: [thanks] })

  expect(await stored()).toEqual(['User: hello'])
})
