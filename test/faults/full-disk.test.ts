import { expect, onTestFinished, test } from 'vitest'
import { inspectDatabase } from '../support/inspect-database.ts'
import { forEachOf } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

test('a disk that takes no more refuses writes, serves reads and loses nothing', async () => {
  const workspace = await makeFolder()
  // No file may pass 2 MB (in blocks of 512 bytes): the log of the database reaches that first.
  const full = await startService({ workspace, engine: 'sqlite', limit: 'ulimit -f 4096;' })
  onTestFinished(() => full.stop())

  const kept: string[] = []
  let status = 200
  for (let turn = 0; status === 200 && turn < 500; turn++) {
    const content = `turn ${turn} ${'words to fill the disk '.repeat(1000)}`
    const reply = await full.ask('POST /api/memory/remember', { body: { content } })
    status = reply.status
    if (status === 200) kept.push(String(reply.body['id']))
    else expect(JSON.stringify(reply.body)).not.toMatch(/SQLITE|disk I\/O/)
  }
  expect(status).toBeGreaterThanOrEqual(500)

  await forEachOf(kept, async (id) => {
    expect((await full.ask(`GET /api/memory/${id}`)).status).toBe(200)
  })
  await full.stop()
  expect(inspectDatabase(workspace)).toEqual([])

  const roomy = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => roomy.stop())
  await forEachOf(kept, async (id) => {
    expect((await roomy.ask(`GET /api/memory/${id}`)).status).toBe(200)
  })
  const body = { content: 'room again' }
  expect((await roomy.ask('POST /api/memory/remember', { body })).status).toBe(200)
})
