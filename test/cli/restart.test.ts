import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCliWorkspace } from '../support/cli-workspace.ts'

test('restart replaces the daemon of a workspace, and starts one if none runs', async () => {
  const { run, runWith } = await createCliWorkspace()
  const restart = async () => {
    const { stdout, stderr } = await runWith(['restart', '--json'], { SVC_PORT: '0' })
    expect(stderr).toBe('')
    return JSON.parse(stdout) as { pid: number; url: string; status: string }
  }

  const first = await restart()
  expect(first.status).toBe('started')
  await runWith(['remember', 'survives a restart'], {})
  const second = await restart()

  expect(second.status).toBe('started')
  expect(second.pid).not.toBe(first.pid)
  expect(() => process.kill(first.pid, 0)).toThrow('ESRCH')
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ pid: second.pid })
  expect((await run('list')).stdout).toContain('survives a restart')
})

async function occupyPort(): Promise<string> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return String((server.address() as AddressInfo).port)
}

const failingStarts: readonly [string, string, () => Promise<Record<string, string>>, string][] = [
  ['settings that are not YAML', 'auth: {', async () => ({}), 'agent.yaml is not YAML'],
  ['an invalid setting', 'auth: { mode: open }', async () => ({}), 'agent.yaml: auth.mode'],
  ['an invalid variable', '', async () => ({ SVC_PORT: '65536' }), 'SVC_PORT'],
  ['an open address', '', async () => ({ SVC_HOST: '0.0.0.0' }), 'SVC_HOST=0.0.0.0'],
  ['a port in use', '', async () => ({ SVC_PORT: await occupyPort() }), 'Another program uses'],
]

test('restart leaves the daemon running if a new one would not start', async () => {
  const { folder, run, runWith } = await createCliWorkspace()
  await run('start')
  const { pid } = JSON.parse((await run('status', '--json')).stdout)

  for (const [name, settings, toVariables, reason] of failingStarts) {
    await writeFile(join(folder, 'agent.yaml'), settings)
    const variables = { SVC_PORT: '0', ...(await toVariables()) }

    const { code, stderr } = await runWith(['restart', '--json'], variables)

    expect(code, name).toBe(1)
    expect(JSON.parse(stderr), name).toMatchObject({
      code: 'start_would_fail',
      error: expect.stringContaining(reason),
      hint: expect.stringContaining('was not stopped'),
    })
    expect(JSON.parse((await run('status', '--json')).stdout), name).toMatchObject({ pid })
  }
})

test('restart reuses the port of the daemon that it stops', async () => {
  const { run, runWith } = await createCliWorkspace()
  await run('start')
  const { url } = JSON.parse((await run('status', '--json')).stdout)

  const { code, stdout } = await runWith(['restart', '--json'], { SVC_PORT: new URL(url).port })

  expect({ code, url: JSON.parse(stdout).url }).toEqual({ code: 0, url })
})
