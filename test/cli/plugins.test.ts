import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ mode: 'local', engine: 'sqlite' })
afterAll(() => service.stop())
const { run, outputs } = reverieOf(service, 'admin')
const value = ['synthetic', 'Oak/Elm+Fir~', '8843'].join('-')
const page = readFileSync('docs/plugins.md', 'utf8')
const [, tutorial = ''] = /## Tutorial[^\n]*\n([\s\S]*?)\n## Manifest/.exec(page) ?? []
const blocks = [...tutorial.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block)

async function shell(script: string): Promise<string> {
  const command = `set -e\n${script.replaceAll(/^reverie /gm, `"${resolve('bin/reverie')}" `)}`
  const env = { ...process.env, SVC_URL: service.url, SVC_PATH: service.workspace }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
  return stdout
}

const begin = async (sessionKey: string) => {
  const body = { harness: 'codex', project: 'farm', sessionKey }
  return String((await service.ask('POST /api/hooks/session-start', { body })).body['inject'])
}

test('the tutorial of docs/plugins.md works block by block', async () => {
  expect(blocks).toHaveLength(3)
  const [found = '', enabled = '', disabled = ''] = blocks

  expect(await shell(found)).toContain('example.house-rules')
  expect(await begin('house-1')).not.toContain('House rules')
  expect(await shell(enabled)).toContain('active')
  const [, shown = ''] = /```text\n(<[^\n]*)\n/.exec(tutorial) ?? []
  expect(await begin('house-2')).toContain(`${shown}\n## House rules`)
  expect(await shell(disabled)).toContain('plugin.disabled')
  expect(await begin('house-3')).not.toContain('House rules')
})

test('a revoked capability closes the command, and a grant opens it again', async () => {
  expect((await run(['plugin', 'revoke', 'svc.secrets', 'secrets:list'])).code).toBe(0)
  const closed = await run(['secret', 'list'])
  expect([closed.code, closed.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('lacks the capability secrets:list'),
  ])
  expect(closed.code).not.toBe(0)
  const enabled = await run(['plugin', 'enable', 'svc.secrets'])
  expect(enabled.stdout).toContain('Grant all: reverie plugin grant svc.secrets')
  expect((await run(['plugin', 'grant', 'svc.secrets'])).stdout).toContain('secrets:list')
  expect((await run(['secret', 'list'])).code).toBe(0)
})

test('without cli:command the commands of secrets are closed, and the routes stay open', async () => {
  expect((await run(['plugin', 'revoke', 'svc.secrets', 'cli:command'])).code).toBe(0)
  for (const args of [['list'], ['has', 'OAK'], ['exec', '--secret', 'OAK=OAK', '--', 'true']]) {
    const { code, stderr } = await run(['secret', ...args])
    expect([code, stderr]).toEqual([3, expect.stringContaining('lacks the capability cli:command')])
  }
  expect((await service.ask('GET /api/secrets')).status).toBe(200)
  expect((await run(['plugin', 'grant', 'svc.secrets', 'cli:command'])).code).toBe(0)
  expect((await run(['secret', 'list'])).code).toBe(0)
})

test('a value that a command used is in no output, audit, file or log', async () => {
  await run(['secret', 'put', 'OAK_KEY'], value)
  const script = 'echo "$OAK"; echo "$OAK" | base64'
  const exec = ['secret', 'exec', '--secret', 'OAK=OAK_KEY', '--', 'sh', '-c', script]
  expect((await run(exec)).stdout).toContain('[REDACTED]')
  expect((await run(['plugin', 'audit', '--json'])).stdout).toContain('secret.exec_completed')

  await expectNoLeak(service, [value], outputs)
})

test('an unknown plugin and an undeclared capability are reported', async () => {
  expect((await run(['plugin', 'show', 'none.such'])).code).toBe(4)
  const unknown = await run(['plugin', 'grant', 'svc.secrets', 'a:b'])

  expect(unknown.code).toBe(4)
  expect(unknown.stderr).toContain('secrets:list')
})
