import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCliWorkspace } from '../support/cli-workspace.ts'
import { launchDaemon } from '../support/daemon-process.ts'

test('start waits until the daemon is ready, and stop until it has ended', async () => {
  const { run } = await createCliWorkspace()
  const started = await run('start', '--json')
  const { pid, url } = JSON.parse(started.stdout)

  expect(started.code).toBe(0)
  expect(JSON.parse((await run('start', '--json')).stdout)).toEqual({
    status: 'already_running',
    pid,
    url,
  })
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    url,
    pid,
    ready: true,
  })
  expect(JSON.parse((await run('stop', '--json')).stdout)).toEqual({ status: 'stopped', pid })
  expect(JSON.parse((await run('stop', '--json')).stdout)).toMatchObject({ status: 'not_running' })
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test.skipIf(process.platform !== 'linux')(
  'a start in the foreground applies the allocator settings in the same process',
  async () => {
    const { folder } = await createCliWorkspace()
    const { pid, signal, ended } = await launchDaemon({ workspace: folder, flags: [] })
    const variables = await readFile(`/proc/${pid}/environ`, 'utf8')
    signal('SIGTERM')

    expect(await ended).toBe(0)
    expect(variables.split('\0')).toContain(`MALLOC_MMAP_THRESHOLD_=${2 ** 19}`)
    expect(variables.split('\0')).toContain('GLIBC_TUNABLES=glibc.malloc.hugetlb=1')
  },
)

test('the log of a start in the background stops growing when the daemon is ready', async () => {
  const { run, folder } = await createCliWorkspace()
  const size = async () => (await stat(join(folder, '.daemon', 'start.log'))).size
  await writeFile(join(folder, 'agent.yaml'), 'logging: { level: debug }\n')
  await run('start')
  await run('remember', 'Ada likes green tea')
  const before = await size()
  await run('remember', 'Ada likes black coffee')

  expect(await readFile(join(folder, 'logs', 'daemon.log'), 'utf8')).toContain('memory saved')
  expect([before > 0, await size()]).toEqual([true, before])
})

test('a daemon in team mode is started, detected and stopped without a token', async () => {
  const { run, folder } = await createCliWorkspace()
  await writeFile(join(folder, 'agent.yaml'), 'auth: { mode: team }\n')
  const { pid, url } = JSON.parse((await run('start', '--json')).stdout)

  expect(JSON.parse((await run('start', '--json')).stdout)).toEqual({
    status: 'already_running',
    pid,
    url,
  })
  expect(JSON.parse((await run('start', '--foreground', '--json')).stdout)).toMatchObject({
    status: 'already_running',
    pid,
  })
  expect((await run('status')).code).toBe(0)
  const healthy = await run('doctor')
  expect(healthy.code).toBe(0)
  expect(healthy.stdout).toContain(
    '0 entities, 0 claims, 0 links, 0 proposals to review, 0 withheld',
  )
  const { code, stderr } = await run('list', '--json')
  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({
    error: 'authentication required',
    hint: expect.stringContaining('token create'),
  })
  expect(JSON.parse((await run('stop', '--json')).stdout)).toEqual({ status: 'stopped', pid })
})

test('another program at a former address that requires a credential is not taken for the daemon', async () => {
  const { run, folder } = await createCliWorkspace()
  const other = createServer((_, reply) => {
    reply.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"who?"}')
  })
  onTestFinished(() => void other.close())
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo
  await mkdir(join(folder, '.daemon'))
  const left = { pid: process.pid, url: `http://127.0.0.1:${port}`, startedAt: '', version: '' }
  await writeFile(join(folder, '.daemon', 'daemon.json'), JSON.stringify(left))

  expect(JSON.parse((await run('start', '--json')).stdout)).toMatchObject({ status: 'started' })
})

test('a stored memory can be recalled, listed, forgotten and recovered', async () => {
  const { run } = await createCliWorkspace()
  await run('start')
  const { id } = JSON.parse((await run('remember', 'Ada likes green tea', '--json')).stdout)

  expect((await run('recall', 'tea')).stdout).toContain('Ada likes green tea')
  expect((await run('list')).stdout).toContain('1 of 1 memories')
  await run('forget', id, '--reason', 'test')
  expect((await run('recall', 'tea')).stdout).toContain('No memory matches')
  expect((await run('list')).stdout).toContain('No memories yet')
  expect((await run('recover', id, '--reason', 'test')).stdout).toContain('Recovered')
})

test('a daemon that cannot start reports the reason', async () => {
  const { run, folder } = await createCliWorkspace()
  await writeFile(join(folder, 'agent.yaml'), 'auth: { mode: none }\n')
  const { code, stderr } = await run('start', '--json')

  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'start_failed' })
})

test('stop does not signal a process that is not Reverie', async () => {
  const { run, folder } = await createCliWorkspace()
  await mkdir(join(folder, '.daemon'))
  const other = { pid: process.pid, url: 'http://127.0.0.1:9', startedAt: '', version: '' }
  await writeFile(join(folder, '.daemon', 'daemon.json'), JSON.stringify(other))
  const { code, stderr } = await run('stop', '--json')

  expect(code).toBe(6)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'not_ours' })
  await rm(join(folder, '.daemon', 'daemon.json'))
})

test('another program at the address of the daemon is recognized', async () => {
  const { run } = await createCliWorkspace()
  const stranger = createServer((_, reply) => reply.writeHead(404).end('<!doctype html>'))
  await once(stranger.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void stranger.close())
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`

  const { code, stderr } = await run('status', '--json', '--url', url)

  expect(code).toBe(5)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'not_reverie' })
})

test('a file that is not a database is reported by its name', async () => {
  const { run, folder } = await createCliWorkspace()
  const file = join(folder, 'memory', 'memories.db')
  await mkdir(join(folder, 'memory'))
  await writeFile(file, 'no database at all'.repeat(100))

  expect((await run('start')).stderr).toContain(file)
  const { checks } = JSON.parse((await run('doctor', '--json')).stdout)
  expect(checks).toContainEqual(expect.objectContaining({ name: 'database', state: 'fail' }))
})

test('the doctor reports that no daemon runs, and names the command', async () => {
  const { run } = await createCliWorkspace()
  const before = await run('doctor', '--json')

  expect(before.code).toBe(1)
  expect(JSON.parse(before.stdout).checks).toContainEqual(
    expect.objectContaining({ name: 'daemon', state: 'fail', fix: 'Start it with: reverie start' }),
  )
  await run('start')
  const after = await run('doctor')
  expect(after).toMatchObject({ code: 0, stderr: '' })
  // The check begins some time after the start.
  expect(after.stdout).toMatch(/^· integrity +not checked yet$/m)
})

test('settings stay in the file that they are read from', async () => {
  const { run, folder } = await createCliWorkspace()
  await writeFile(join(folder, 'config.yaml'), 'search: { top_k: 20 }\n')
  await run('start')

  expect(await run('config', 'get', 'search.top_k')).toMatchObject({ stdout: '20\n' })
  expect(await run('config', 'set', 'search.top_k', '30')).toMatchObject({ code: 0 })

  expect(await readFile(join(folder, 'config.yaml'), 'utf8')).toContain('30')
  expect(await readdir(folder)).not.toContain('agent.yaml')
  expect((await run('doctor')).stdout).toContain(join(folder, 'config.yaml'))
})
