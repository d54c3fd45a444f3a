import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { renameTable } from '../support/inspect-database.ts'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())
await service.ask('POST /api/memory/remember', { body: { content: 'the tide table' } })

test('an unreadable list is an empty page with an error, and no client treats it as empty', async () => {
  const { run } = reverieOf(service)
  const folder = await makeFolder()
  renameTable(service.workspace, 'memory_counts', 'away')

  expect(await service.ask('GET /api/memories')).toMatchObject({
    status: 200,
    body: {
      memories: [],
      stats: { total: 0, withEmbeddings: 0, critical: 0 },
      error: 'Failed to load memories',
    },
  })
  expect(service.output()).toContain('no such table')
  for (const args of [['list'], ['export', join(folder, 'memories.jsonl')]]) {
    const { code, stdout, stderr } = await run([...args, '--json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({
      error: 'Failed to load memories',
      code: 'internal',
      hint: expect.stringContaining('reverie logs'),
    })
  }
  expect(await readdir(folder)).toEqual([])
  const reply = JSON.parse(await callTool(service, { name: 'memory_list', arguments: {} }))
  expect(reply.result).toEqual({
    content: [{ type: 'text', text: 'Failed to load memories' }],
    isError: true,
  })

  renameTable(service.workspace, 'away', 'memory_counts')
  expect((await service.ask('GET /api/memories')).body).toMatchObject({ stats: { total: 1 } })
})
