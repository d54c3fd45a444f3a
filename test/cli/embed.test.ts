import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { installRuntime, makeModelFolder, workingPackage } from '../support/model-folder.ts'
import { startModelServer } from '../support/model-server.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

test('an audit reports the state of the vectors', async () => {
  await run(['remember', 'Maria adopted a grey kitten in June.'])

  expect(await json(['embed', 'audit'])).toMatchObject({
    status: 'healthy',
    coverage: 100,
    tracker: { total: 1, embedded: 1, refused: 0 },
  })
  expect((await run(['embed', 'audit'])).stdout).toMatch(/✓ coverage +1 of 1 have a vector/)
})

test('a backfill creates missing vectors, and ends when all exist', async () => {
  const without = await startService({ config: { embedding: { provider: 'none' } } })
  onTestFinished(() => without.stop())
  const before = reverieOf(without, 'admin')
  await before.run(['remember', 'Nobody makes a vector of this.'])
  expect(await before.json(['embed', 'audit'])).toMatchObject({ coverage: 0 })

  await before.run(['config', 'set', 'embedding.provider', 'static'])
  await without.restart()

  expect(await reverieOf(without, 'admin').json(['embed', 'backfill'])).toMatchObject({
    state: 'idle',
    total: 1,
    embedded: 1,
  })
})

test('a backfill prints its progress, and ends if the provider does not answer', async () => {
  const model = await startModelServer()
  onTestFinished(() => model.stop())
  const building = await startService({ config: { outbound: { allow: [model.url] } } })
  onTestFinished(() => building.stop())
  const admin = reverieOf(building, 'admin')
  await admin.run(['remember', 'Nobody makes another vector of this.'])
  model.behave('silently')
  await admin.run(['config', 'set', 'embedding.provider', 'ollama'])
  await admin.run(['config', 'set', 'embedding.base_url', model.url])
  await admin.run(['config', 'set', 'embedding.dimensions', '3'])
  await building.restart()

  const begun = await reverieOf(building, 'admin').run(['embed', 'backfill', '--no-wait'])
  expect(begun).toMatchObject({ code: 0 })
  expect(begun.stdout).toMatch(/^running: 0 of 1, provider static-\S+, building nomic-\S+/)

  model.behave('badly')
  await building.restart()
  const { code, stdout } = await reverieOf(building, 'admin').run(['embed', 'backfill'])
  expect({ code, stdout }).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('waiting: 0 of 1'),
  })
})

test('a backfill ends if the provider does not name its model', async () => {
  const silent = { provider: 'ollama', base_url: 'http://127.0.0.1:1' }
  const without = await startService({ config: { embedding: silent } })
  onTestFinished(() => without.stop())
  const admin = reverieOf(without, 'admin')

  const { code, stdout, stderr } = await admin.run(['embed', 'backfill'])

  expect({ code, stdout }).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('waiting: 0 of 0'),
  })
  expect(stderr).toContain('not allowed')
})

test('a model of a folder is installed and answers searches, and static goes back', async () => {
  const local = await startService({ mode: 'local' })
  onTestFinished(() => local.stop())
  const { run, json } = reverieOf(local, 'admin')
  await run(['remember', 'Maria adopted a grey kitten in June.'])
  const source = await makeModelFolder()
  await installRuntime(join(local.workspace, 'models'), workingPackage)

  expect(await run(['embed', 'use', join(source, 'missing')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is neither a folder, nor a URL, nor an installed model'),
  })
  expect(await run(['embed', 'use', source, '--sha256', '0'.repeat(64)])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Check the source'),
  })
  expect(await json(['embed', 'use', source, '--name', 'small'])).toMatchObject({
    model: 'small',
    isActive: true,
    tracker: { total: 1, embedded: 1 },
  })
  expect(await json(['embed', 'use', 'static'])).toMatchObject({ model: 'static', isActive: true })
  expect((await run(['embed', 'use', 'small'])).stdout).toMatch(/^small answers searches/)
})
