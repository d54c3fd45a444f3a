import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchFailing } from '../support/daemon-process.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

test("a second daemon on a workspace is refused with the owner's name", async () => {
  const workspace = await makeFolder()
  const first = await startService({ workspace })
  onTestFinished(() => first.stop())

  // Removes the file by which the command line finds the daemon, so that only the lock decides.
  await rm(join(workspace, '.daemon', 'daemon.json'))

  const { code, output } = await launchFailing({ workspace })

  expect(code).not.toBe(0)
  expect(output).toContain(`in use by process ${first.pid} `)
  expect(output).toContain(first.url)
  expect((await first.ask('GET /api/agents')).status).toBe(200)
})

test('the workspace of a killed daemon is free', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace })
  onTestFinished(() => service.stop())

  await service.kill()
  await service.restart()

  expect((await service.ask('GET /api/agents')).status).toBe(200)
})

test('many concurrent starts are all refused', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace })
  onTestFinished(() => service.stop())

  await rm(join(workspace, '.daemon', 'daemon.json'))

  const ends = await Promise.all([1, 2, 3].map(() => launchFailing({ workspace })))

  expect(ends.map(({ code }) => code)).not.toContain(0)
})
