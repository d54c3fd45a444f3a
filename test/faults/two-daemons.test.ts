import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchInVain } from '../support/daemon-process.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

test('a second daemon on a workspace is refused and told who has it', async () => {
  const workspace = await makeFolder()
  const first = await startService({ workspace })
  onTestFinished(() => first.stop())

  // Without what the command line would find it by, so that the lock itself is asked.
  await rm(join(workspace, '.daemon', 'daemon.json'))

  const { code, output } = await launchInVain({ workspace })

  expect(code).not.toBe(0)
  expect(output).toContain(`in use by process ${first.pid} `)
  expect(output).toContain(first.url)
  expect((await first.ask('GET /api/agents')).status).toBe(200)
})

test('a workspace whose daemon was killed is free', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace })
  onTestFinished(() => service.stop())

  await service.kill()
  await service.restart()

  expect((await service.ask('GET /api/agents')).status).toBe(200)
})

test('many that come at once are all refused', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace })
  onTestFinished(() => service.stop())

  await rm(join(workspace, '.daemon', 'daemon.json'))

  const ends = await Promise.all([1, 2, 3].map(() => launchInVain({ workspace })))

  expect(ends.map(({ code }) => code)).not.toContain(0)
})
