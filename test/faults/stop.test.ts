import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchAndStop, launchDaemon } from '../support/daemon-process.ts'
import { inspectDatabase } from '../support/inspect-database.ts'
import { forEachOf, rememberUntilGone } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'

const counted = async (service: Service, word: string) => {
  const body = { content: `${word} is what this memory says` }
  return (await service.ask('POST /api/memory/remember', { body })).body['deduped'] === true
}

test('a stopping daemon answers accepted requests and keeps their writes', async () => {
  const service = await startService()
  onTestFinished(() => service.stop())

  const sent = await rememberUntilGone(service, {
    name: 'stop',
    clients: 16,
    acknowledged: (count) => {
      if (count === 100) service.signal('SIGTERM')
    },
  })
  expect(await service.ended).toBe(0)
  await service.restart()

  const answered = sent.filter(({ status }) => status !== undefined)
  expect([...new Set(answered.map(({ status }) => status))].filter((it) => it !== 503)).toEqual([
    200,
  ])
  const wrong: string[] = []
  await forEachOf(sent, async ({ word, status }) => {
    // A request without an answer must have changed nothing.
    if ((await counted(service, word)) !== (status === 200)) wrong.push(`${word} ${status}`)
  })
  expect(wrong).toEqual([])
})

test('a second signal does not shorten the shutdown', async () => {
  const service = await startService()
  onTestFinished(() => service.stop())

  const sent = rememberUntilGone(service, {
    name: 'twice',
    clients: 8,
    acknowledged: (count) => {
      if (count === 50) service.signal('SIGTERM')
      if (count > 50) service.signal('SIGINT')
    },
  })
  service.signal('SIGCONT')
  const words = (await sent).filter(({ status }) => status === 200)

  expect(await service.ended).toBe(0)
  await service.restart()
  await forEachOf(words, async ({ id }) => {
    expect((await service.ask(`GET /api/memory/${id}`)).status).toBe(200)
  })
})

test('a daemon stopped while it migrates completes the current step and ends cleanly', async () => {
  const workspace = await makeFolder()
  const database = join(workspace, 'memory', 'memories.db')

  expect(await launchAndStop({ workspace }, () => existsSync(`${database}-wal`))).toBe(0)
  // The log is checkpointed, so the database was closed.
  expect(existsSync(`${database}-wal`)).toBe(false)

  const daemon = await launchDaemon({ workspace })
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toBe(0)
  expect(inspectDatabase(workspace)).toEqual([])
})
