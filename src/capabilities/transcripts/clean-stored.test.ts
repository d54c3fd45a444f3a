import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { createTranscripts } from './index.ts'
import { readReceipt } from './read.ts'
import { findCleanup } from './store/transcripts.ts'
import { repeatCleanupStep } from './store/upgrade.fixture.ts'
import { hashContent } from './transcript.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const injected = '<system-reminder>x</system-reminder>'
const stored = [`User: ${injected} hi`, 'User: <command-name>/x</command-name>', 'Assistant: b']

/** Rows of an earlier release, the upgrade, and the later starts. */
function upgradeFixture(db: Db) {
  const { transcripts, needs, ...place } = transcriptsFor(db)
  const save = (sessionKey: string, lines: readonly string[], complete = false) => {
    const content = lines.join('\n')
    const contentHash = hashContent(content)
    const read = { content, contentHash, format: 'jsonl', sourcePath: null, redactions: 0 } as const
    return transaction(db, async (db) => {
      const snapshot = { ...session, sessionKey, read, complete }
      const saved = await transcripts.saveSnapshot(db, snapshot)
      return saved && complete ? transcripts.enqueueCapture(db, saved) : ''
    })
  }
  const upgrade = () => repeatCleanupStep(db)
  const start = () => createTranscripts({ ...needs, jobs: { ...needs.jobs, handle: () => {} } })
  const contentOf = async (sessionKey: string) =>
    (await transcripts.find(db, { agentId: 'ada', sessionKey }))?.content
  return { transcripts, needs, ...place, save, upgrade, start, contentOf }
}

onEachEngine('an upgrade drops injected blocks from rows and from their files', async (db) => {
  const { transcripts, save, upgrade, start, contentOf, lines } = upgradeFixture(db)
  const contents = async () => (await lines()).map(({ content }) => content)
  await save('s1', stored)
  await save('s2', ['User: plain', 'Assistant: b'])
  await save('s3', [`User: ${injected}`])
  const turns = [{ role: 'user', text: 'c' }] as const
  await transaction(db, (db) => transcripts.appendLive(db, { ...session, turns }))
  await transcripts.catchUp()
  expect(await contents()).toContain(`${injected} hi`)

  await upgrade()
  const next = start()
  await next.catchUp()
  await next.catchUp()

  expect(await contentOf('s1')).toBe('User: hi\nAssistant: b\nUser: c')
  expect(await contentOf('s2')).toBe('User: plain\nAssistant: b')
  expect(await contentOf('s3')).toBe('')
  expect(await contents()).toEqual(['hi', 'b', 'c'])
  expect(await findCleanup(db)).toBe(undefined)
  await next.stop()
})

onEachEngine('an upgrade cleans in batches and resumes after a restart', async (db) => {
  const { save, upgrade, start, contentOf } = upgradeFixture(db)
  const keys = Array.from({ length: 45 }, (_, number) => `s${number}`)
  for (const key of keys) await save(key, stored)
  await upgrade()
  await save('later', stored)
  const countClean = async () => {
    const contents = await Promise.all(keys.map(contentOf))
    return contents.filter((content) => content === 'User: hi\nAssistant: b').length
  }
  const counts: number[] = []
  for (let run = 0; run < 4; run++) {
    const transcripts = start()
    await transcripts.catchUp()
    counts.push(await countClean())
    await transcripts.stop()
  }

  expect(counts).toEqual([20, 40, 45, 45])
  expect(await findCleanup(db)).toBe(undefined)
  expect(await contentOf('later')).toBe(stored.join('\n'))
})

onEachEngine('captures cleaned transcripts again', async (db) => {
  const { transcripts, needs, save, upgrade, start, workUntil } = upgradeFixture(db)
  const sentence =
    'The retry loop in worker.ts now waits for the lease and gives the job back to others.'
  const artifact = async () => {
    const all = await transcripts.listArtifacts(db, { agentId: 'ada', limit: 9 })
    return all.find(({ sourceKind }) => sourceKind === 'transcript')
  }
  const id = await save(
    's1',
    [`Assistant: <system-reminder> ${sentence} </system-reminder> b`],
    true,
  )
  const work = () =>
    workUntil(async () => (await readReceipt(needs, callerFor('ada'), id)).status === 'completed')
  await work()
  expect((await artifact())?.memorySentence).toContain(sentence)

  await upgrade()
  const next = start()
  await next.catchUp()
  await work()

  expect((await artifact())?.memorySentence).toContain('with one turn of conversation')
  await next.stop()
})
