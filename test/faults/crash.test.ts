import { expect, onTestFinished, test } from 'vitest'
import { launchAndKill, launchDaemon } from '../support/daemon-process.ts'
import { inspectDatabase } from '../support/inspect-database.ts'
import { forEachOf, rememberUntilGone, sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

test('a daemon that is killed repeatedly keeps and finds each acknowledged memory', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())
  const saved: { id: string | undefined; word: string }[] = []

  const rounds = sampleRounds([1, 2, 3, 4], 2)

  for (const round of rounds) {
    const sent = await rememberUntilGone(service, {
      name: `round${round}`,
      clients: 16,
      acknowledged: (count) => {
        if (count === 40 * round) service.signal('SIGKILL')
      },
    })
    saved.push(...sent.filter(({ status }) => status === 200))
    await service.kill()
    expect(inspectDatabase(workspace)).toEqual([])
    await service.restart()
  }

  const acknowledged = rounds.reduce((sum, round) => sum + 40 * round, 0)
  expect(saved.length).toBeGreaterThanOrEqual(acknowledged)
  const lost: string[] = []
  await forEachOf(saved, async ({ id, word }) => {
    const { body } = await service.ask(`GET /api/memory/${id}`)
    const found = await service.ask(`GET /memory/search?q=${word}`)
    const [hit] = found.body['results'] as { id: string }[]
    if (!String(body['content']).startsWith(word) || hit?.id !== id) lost.push(word)
  })
  expect(lost).toEqual([])
})

test('a daemon killed at any moment of its first start starts again', async () => {
  const workspace = await makeFolder()

  const delays = [60, 90, 120, 150, 180, 210, 240, 280, 320, 380]
  for (const afterMs of sampleRounds(delays, 2)) await launchAndKill({ workspace }, afterMs)

  const daemon = await launchDaemon({ workspace })
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toBe(0)
  expect(inspectDatabase(workspace)).toEqual([])
})

test('a daemon killed while it creates many workspaces starts in all of them', async () => {
  for (const afterMs of sampleRounds([140, 170, 200, 230, 260, 300], 2)) {
    const workspace = await makeFolder()
    await launchAndKill({ workspace }, afterMs)

    const daemon = await launchDaemon({ workspace })
    daemon.signal('SIGTERM')
    expect(await daemon.ended).toBe(0)
    expect(inspectDatabase(workspace)).toEqual([])
  }
})
