import { readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCliWorkspace } from '../support/cli-workspace.ts'

/** An address by which other machines reach this one, if it has any. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
const hasIpv6 = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .some(({ address }) => address === '::1')

async function startTeam(host: string, server: object = {}) {
  const { folder, run, runWith } = await createCliWorkspace({ SVC_HOST: host })
  const settings = { auth: { mode: 'team' }, server }
  await writeFile(join(folder, 'agent.yaml'), JSON.stringify(settings))
  const { stdout, stderr } = await run('start', '--json')
  expect(stderr).toBe('')
  const { pid, url } = JSON.parse(stdout)
  const signed = await run(
    'token',
    'create',
    '--role',
    'agent',
    '--for',
    'ada',
    '--local',
    '--json',
  )
  const token = String(JSON.parse(signed.stdout).token)
  return { folder, run, pid, url: String(url), port: new URL(url).port, token, runWith }
}

describe.each([
  { host: '0.0.0.0', name: '127.0.0.1', isPresent: true },
  { host: '::', name: '127.0.0.1', isPresent: hasIpv6 },
  { host: ownAddress ?? '', name: ownAddress ?? '', isPresent: ownAddress !== undefined },
])('with SVC_HOST=$host in team mode', ({ host, name, isPresent }) => {
  test.skipIf(!isPresent)('the commands of this machine reach the daemon', async () => {
    const { folder, run, runWith, pid, url, port, token } = await startTeam(host)
    const asAda = { SVC_TOKEN: token, SVC_AGENT_ID: 'ada' }

    const file = JSON.parse(await readFile(join(folder, '.daemon', 'daemon.json'), 'utf8'))
    expect([url, file.url]).toEqual([`http://${name}:${port}`, `http://${name}:${port}`])
    const status = await run('status', '--json')
    expect(JSON.parse(status.stdout)).toMatchObject({ url, pid, ready: true })
    const remembered = await runWith(['remember', 'critical: Ada likes green tea'], asAda)
    expect(remembered).toMatchObject({ code: 0, stderr: '' })
    expect((await runWith(['recall', 'tea'], asAda)).stdout).toContain('Ada likes green tea')
    expect((await run('recall', 'tea')).code).toBe(3)
    const event = ['hook', 'session-start', '-H', 'claude-code', '--debug']
    const payload = JSON.stringify({ session_id: 's-1' })
    const answer = await runWith(event, asAda, payload)
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    expect(answer.stdout).toContain('Ada likes green tea')
    expect((await runWith(event, {}, payload)).stderr).toContain('refused: status 401')
    expect((await run('doctor')).code).toBe(0)
    const stopped = await run('stop', '--json')
    expect(JSON.parse(stopped.stdout)).toEqual({ status: 'stopped', pid })
  })
})

test.skipIf(ownAddress === undefined)(
  'a remote caller needs a token, and a name that is allowed',
  async () => {
    const address = String(ownAddress)
    const { port, token } = await startTeam('0.0.0.0', { allowedHosts: [address] })
    const list = (authorization?: string) =>
      fetch(`http://${address}:${port}/api/memories?agent_id=ada`, {
        headers: { 'x-svc-agent-id': 'ada', ...(authorization && { authorization }) },
      }).then(({ status }) => status)

    expect(await list()).toBe(401)
    expect(await list('Bearer nonsense')).toBe(401)
    expect(await list(`Bearer ${token}`)).toBe(200)
    const closed = await startTeam('0.0.0.0')
    const reply = await fetch(`http://${address}:${closed.port}/health/live`)
    expect(reply.status).toBe(403)
    expect(await reply.json()).toMatchObject({ code: 'foreign_host' })
  },
)

test('a file of an older daemon that names a wildcard address is understood', async () => {
  const { folder, run, pid, port } = await startTeam('0.0.0.0')
  const file = join(folder, '.daemon', 'daemon.json')
  const url = `http://0.0.0.0:${port}`
  await writeFile(file, JSON.stringify({ pid, url, startedAt: '', version: '' }))

  expect((await run('doctor')).code).toBe(0)
  const stopped = await run('stop', '--json')
  expect(JSON.parse(stopped.stdout)).toEqual({ status: 'stopped', pid })
})
