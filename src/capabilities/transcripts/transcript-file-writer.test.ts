import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { readReceipt } from './read.ts'
import { clearFileCheckpoint, listPendingFiles } from './store/transcript-files.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

function writerFixture(db: Db) {
  const { transcripts, lines, ...place } = transcriptsFor(db)
  const append = (...words: readonly string[]) =>
    transaction(db, (db) =>
      transcripts.appendLive(db, {
        ...session,
        turns: words.map((text) => ({ role: 'user', text })),
      }),
    )
  const find = () => transcripts.find(db, session)
  const work = () => transcripts.catchUp()
  const contents = async () => (await lines()).map(({ content }) => content)
  return { transcripts, lines, ...place, append, find, work, contents }
}

onEachEngine('writes live turns to the file once', async (db) => {
  const { append, work, lines } = writerFixture(db)
  await append('a')
  await work()
  await append('a', 'b')
  await append('c')
  await work()

  expect(await lines()).toMatchObject([
    { seq: 1, content: 'a', role: 'user', source_format: 'live' },
    { seq: 2, content: 'b', source_format: 'live' },
    { seq: 3, content: 'c', source_format: 'live' },
  ])
})

onEachEngine('replaces archived content only after it is in the file', async (db) => {
  const { transcripts, needs, append, find, workUntil, contents } = writerFixture(db)
  const keep = async (transcript: string, complete = false) => {
    const read = await transcripts.readInput({ harness: 'codex', transcript })
    return transaction(db, async (db) => {
      const saved = await transcripts.saveSnapshot(db, { ...session, read, complete })
      return saved && complete ? transcripts.enqueueCapture(db, saved) : ''
    })
  }
  await append('a')
  await transaction(db, (db) => transcripts.archive(db, session))
  await append('b')
  await keep('User: c\nUser: d')
  expect((await find())?.content).toBe('User: a\nUser: b\nUser: c\nUser: d')

  const id = await keep('User: c\nUser: d\nUser: e', true)
  await workUntil(
    async () => (await readReceipt(needs, { ...session, scope: {} }, id)).status === 'completed',
  )

  expect(await contents()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

onEachEngine('restores a deleted or truncated file', async (db) => {
  const { append, work, contents, file } = writerFixture(db)
  await append('a')
  await work()
  await rm(file)
  await append('b')
  await work()
  expect(await contents()).toEqual(['a', 'b'])

  const [first = ''] = (await readFile(file, 'utf8')).split('\n')
  await truncate(file, Buffer.byteLength(first) + 1)
  await append('c')
  await work()

  expect(await contents()).toEqual(['a', 'b', 'c'])
})

onEachEngine('writes no turn twice after a crash before the checkpoint', async (db) => {
  const { append, work, contents } = writerFixture(db)
  await append('a')
  await work()
  await append('b')
  await work()
  await clearFileCheckpoint(db, session)

  await append('c')
  await work()

  expect(await contents()).toEqual(['a', 'b', 'c'])
})

onEachEngine('writes turns that arrive during a write', async (db) => {
  const { append, work, contents } = writerFixture(db)
  await append('a')
  for (const word of ['b', 'c', 'd']) await Promise.all([work(), append(word)])
  await work()

  expect(await contents()).toEqual(['a', 'b', 'c', 'd'])
  expect(await listPendingFiles(db, 10)).toEqual([])
})

onEachEngine('a failing session does not block others', async (db) => {
  const { transcripts, append, contents, folder } = writerFixture(db)
  await mkdir(join(folder, 'transcripts'), { recursive: true })
  await writeFile(join(folder, 'transcripts', 'odd'), 'not a folder')
  const turns = [{ role: 'user', text: 'lost' }] as const
  const odd = { agentId: 'ada', sessionKey: 'odd', harness: 'odd', turns }
  await transaction(db, (db) => transcripts.appendLive(db, odd))
  await append('a')

  await expect(transcripts.catchUp()).rejects.toThrow()

  expect(await contents()).toEqual(['a'])
  expect(await listPendingFiles(db, 10)).toMatchObject([{ sessionKey: 'odd' }])
})

onEachEngine('reads and sends only the appended part of a long session', async (db) => {
  const { transcripts, append, work, contents } = writerFixture(db)
  const long = 'word '.repeat(60_000)
  await append(`${long}end`)
  await work()
  const { length } = (await transcripts.findHeader(db, session, 0)) ?? { length: 0 }

  await append(`${long}end`, 'and on')
  await work()

  expect(await transcripts.findHeader(db, session, 7)).toMatchObject({
    tail: ' and on',
    length: length + '\nUser: and on'.length,
    sourceFormat: 'live',
  })
  expect((await contents()).at(-1)).toBe('and on')
  expect(await contents()).toHaveLength(2)
})
