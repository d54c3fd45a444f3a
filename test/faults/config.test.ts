import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { launchFailing } from '../support/daemon-process.ts'
import { executeSql } from '../support/inspect-database.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

test.each([
  ['broken YAML', 'auth: [team', 'agent.yaml is not YAML'],
  ['an unknown mode', 'auth: { mode: everybody }', 'auth.mode'],
  ['a number where a word belongs', 'database: { synchronous: 3 }', 'database.synchronous'],
  ['an index on a server that there is not', 'search: { index: server }', 'search.index: server'],
  ['a list of settings', '- auth', 'agent.yaml must hold settings'],
  ['more than 1 MiB', `#${' '.repeat(1_048_576)}`, 'agent.yaml has 1048577 bytes'],
])('%s at the start ends the daemon, which names the place', async (_, text, said) => {
  const workspace = await makeFolder()
  await writeFile(join(workspace, 'agent.yaml'), text)

  const { code, output } = await launchFailing({ workspace })

  expect(code).not.toBe(0)
  expect(output).toContain(said)
  expect(output).not.toMatch(/\n {4}at /)
})

test('explains an address in use and a workspace below a file, with a remedy', async () => {
  const workspace = await makeFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const file = join(workspace, 'file')
  await writeFile(file, '')

  const used = await launchFailing({ workspace, env: { SVC_PORT: String(port) } })
  expect(used.output).toMatch(/Another program uses this address.*SVC_PORT.*EADDRINUSE/)
  const below = await launchFailing({ workspace: join(file, 'workspace') })
  expect(below.output).toMatch(/A part of the path is a file.*ENOTDIR.*workspace/)
})

test('a part that fails at the start ends the daemon and all parts that started before it', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  await service.stop()
  const rename = 'alter table connectors rename column'
  executeSql(workspace, `${rename} status to state`)

  const { code, output } = await launchFailing({ workspace })

  expect(code).toBe(1)
  expect(output).toContain('no such column')
  expect(output).not.toContain('driver has already been destroyed')
  executeSql(workspace, `${rename} state to status`)
  await service.restart()
  expect((await service.ask('GET /health/ready')).status).toBe(200)
})

test('a file that becomes invalid while the daemon runs changes nothing until it is fixed', async () => {
  const service = await startService()
  onTestFinished(() => service.stop())
  const write = (text: string) => writeFile(join(service.workspace, 'agent.yaml'), text)
  const remember = async (content: string) =>
    (await service.ask('POST /api/memory/remember', { body: { content } })).status

  await write('auth: { mode: local')
  await vi.waitFor(() => expect(service.output()).toContain('agent.yaml is not YAML'), pollOptions)
  expect(await remember('still here')).toBe(200)
  expect((await service.ask('GET /api/agents', { role: 'anonymous' })).status).toBe(401)

  await write('auth: { mode: team }\nmemory: { pipelineV2: { mutationsFrozen: true } }\n')
  await vi.waitFor(async () => expect(await remember('frozen')).toBe(503), pollOptions)
})

const pollOptions = { timeout: 20_000, interval: 100 }
