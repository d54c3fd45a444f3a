import { readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { appendLive } from './append-live.ts'
import { readReceipt } from './read-receipt.ts'
import { updateWritten } from './store/written.ts'
import { createTexts } from './texts.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'
import { writeTranscript } from './write-transcript.ts'

function telling(db: Db) {
  const { transcripts, needs, folder, workUntil } = transcriptsFor(db)
  const tell = (...words: readonly string[]) =>
    transaction(db, (db) =>
      transcripts.appendLive(db, {
        ...session,
        turns: words.map((text) => ({ role: 'user', text })),
      }),
    )
  const find = () => transcripts.find(db, session)
  const work = () =>
    workUntil(async () => {
      const transcript = await find()
      return transcript?.writtenHash === transcript?.contentHash
    })
  const file = join(folder, 'transcripts', 'codex', 'transcript.jsonl')
  const lines = async () =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
  const contents = async () => (await lines()).map(({ content }) => content)
  return { transcripts, needs, tell, find, work, workUntil, file, lines, contents }
}

onEachEngine('what is told live is soon in the file, each turn once', async (db) => {
  const { tell, work, lines } = telling(db)
  await tell('a')
  await work()
  await tell('a', 'b')
  await tell('c')
  await work()

  expect(await lines()).toMatchObject([
    { seq: 1, content: 'a', role: 'user', source_format: 'live' },
    { seq: 2, content: 'b', source_format: 'live' },
    { seq: 3, content: 'c', source_format: 'live' },
  ])
})

onEachEngine('what a compaction puts away gives way only once the file holds it', async (db) => {
  const { transcripts, needs, tell, find, workUntil, contents } = telling(db)
  const keep = async (transcript: string, complete = false) => {
    const read = await transcripts.readInput({ harness: 'codex', transcript })
    return transaction(db, async (db) => {
      const kept = await transcripts.keepSnapshot(db, { ...session, read, complete })
      return kept && complete ? transcripts.enqueueCapture(db, kept) : ''
    })
  }
  await tell('a')
  await transaction(db, (db) => transcripts.archive(db, session))
  await tell('b')
  await keep('User: c\nUser: d')
  expect((await find())?.content).toBe('User: a\nUser: b\nUser: c\nUser: d')

  const id = await keep('User: c\nUser: d\nUser: e', true)
  await workUntil(async () => (await readReceipt(needs, session, id)).status === 'completed')

  expect(await contents()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

onEachEngine('a file that was taken away or cut is brought to the whole session', async (db) => {
  const { tell, work, contents, file } = telling(db)
  await tell('a')
  await work()
  await rm(file)
  await tell('b')
  await work()
  expect(await contents()).toEqual(['a', 'b'])

  const [first = ''] = (await readFile(file, 'utf8')).split('\n')
  await truncate(file, Buffer.byteLength(first) + 1)
  await tell('c')
  await work()

  expect(await contents()).toEqual(['a', 'b', 'c'])
})

onEachEngine('killed between the file and the note of it, it writes no turn twice', async (db) => {
  const { transcripts, needs, tell, find, work, contents } = telling(db)
  await tell('a')
  await work()
  await tell('b')
  const transcript = await find()
  const texts = createTexts(needs.host)
  onTestFinished(() => texts.close())
  if (transcript) await writeTranscript({ ...needs, texts }, transcript)
  await updateWritten(db, session, undefined)

  await tell('c')
  await work()

  expect(await contents()).toEqual(['a', 'b', 'c'])
  expect(await transcripts.countWaiting()).toBe(0)
})

onEachEngine('no prompt is refused because the file lags behind', async (db) => {
  const { needs, find } = telling(db)
  const full = new Refusal('too_many', 'queue_full', 'Too many jobs wait.')
  const jobs = { ...needs.jobs, enqueue: () => Promise.reject(full) }
  const turns = [{ role: 'user', text: 'a' }] as const

  await transaction(db, (db) => appendLive({ ...needs, jobs }, db, { ...session, turns }))

  expect((await find())?.content).toBe('User: a')
})
