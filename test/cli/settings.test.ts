import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCliWorkspace } from '../support/cli-workspace.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const restart = 'reverie restart'

interface Check {
  readonly name: string
  readonly state: string
  readonly detail: string
  readonly fix?: string
}

const checksOf = ({ stdout }: { readonly stdout: string }): readonly Check[] =>
  JSON.parse(stdout).checks

describe('a setting that needs a restart', () => {
  test('is named by config set and by the doctor, with the command', async () => {
    const { run } = await createCliWorkspace()
    await run('start')

    expect((await run('config', 'set', 'search.top_k', '30')).stdout).toBe(
      'search.top_k is now 30\n',
    )
    expect((await run('config', 'set', 'sessions.sweepIntervalMs', '5000')).stdout).toBe(
      `sessions.sweepIntervalMs is now 5000\nIt takes effect after a restart: ${restart}\n`,
    )
    const set = await run('config', 'set', 'auth.rateLimits.admin.max', '20', '--json')
    expect(JSON.parse(set.stdout)).toEqual({
      key: 'auth.rateLimits.admin.max',
      value: 20,
      waitingForRestart: ['auth.rateLimits'],
    })

    await expect
      .poll(async () => checksOf(await run('doctor', '--json')))
      .toContainEqual({
        name: 'ready',
        state: 'warn',
        fix: restart,
        detail: expect.stringMatching(/auth\.rateLimits, sessions\.sweepIntervalMs/),
      })
    await run('stop')
    await run('start')
    expect((await run('doctor')).stdout).not.toContain(restart)
  })
})

test('the doctor names the variables that override the settings file', async () => {
  const { folder, run } = await createCliWorkspace({ SVC_LOG_LEVEL: 'warn' })
  const settings = { logging: { level: 'info' }, search: { top_k: 9 } }
  await writeFile(join(folder, 'agent.yaml'), JSON.stringify(settings))
  await run('start')

  expect(checksOf(await run('doctor', '--json')).filter(({ name }) => name === 'override')).toEqual(
    [
      {
        name: 'override',
        state: 'warn',
        detail: 'SVC_LOG_LEVEL overrides logging.level of the settings file',
        fix: 'Unset SVC_LOG_LEVEL where the daemon is started, or remove logging.level.',
      },
    ],
  )
})

test('with PostgreSQL the doctor names the server, and no credential', async () => {
  const service = await startService({ engine: 'postgres' })
  try {
    const { host, pathname } = new URL(
      String((await service.ask('GET /api/status')).body['memoryDb']),
    )
    const databaseOf = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await runReverie(['doctor', '--json'], { env })
      return checksOf({ stdout }).filter(({ name }) => name === 'database')
    }
    const elsewhere = { SVC_PATH: await makeFolder(), SVC_URL: service.url }
    const server = { name: 'database', state: 'ok', detail: `postgres://${host}${pathname}` }

    expect(await databaseOf({ ...elsewhere, SVC_TOKEN: service.tokenFor('operator') })).toEqual([
      server,
    ])
    expect(await databaseOf({ ...elsewhere, SVC_PATH: service.workspace })).toEqual([server])
    expect(await databaseOf(elsewhere)).toMatchObject([
      { state: 'ok', detail: expect.stringContaining('PostgreSQL') },
    ])
  } finally {
    await service.stop()
  }
  const url = 'postgres://ada:pass@db.example:5433/tea?sslmode=require'
  const env = { SVC_PATH: await makeFolder(), SVC_URL: 'http://127.0.0.1:9', SVC_DATABASE_URL: url }
  expect(checksOf(await runReverie(['doctor', '--json'], { env }))).toContainEqual({
    name: 'database',
    state: 'ok',
    detail: 'postgres://db.example:5433/tea',
  })
})

describe('install', () => {
  const installWith = async (env: Readonly<Record<string, string>>, ...options: string[]) => {
    const home = await makeFolder()
    const args = ['install', 'claude-code', ...options]
    return runReverie(args, { env: { SVC_PATH: join(home, '.svc'), ...env, HOME: home } })
  }
  const needsToken = {
    code: 0,
    stdout: expect.stringMatching(/hooks and MCP .*need a token.*reverie token create.*SVC_TOKEN/s),
  }
  const noService = { SVC_URL: 'http://127.0.0.1:9' }

  test('reports that hooks and MCP need a token if the daemon runs in team mode', async () => {
    const service = await startService({ engine: 'sqlite' })
    try {
      expect(await installWith({ SVC_URL: service.url })).toMatchObject(needsToken)
      const { stdout } = await installWith({ SVC_URL: service.url }, '--json')
      expect(JSON.parse(stdout)).toMatchObject({
        status: 'installed',
        notices: [expect.stringContaining('need a token')],
      })
    } finally {
      await service.stop()
    }
  })

  test('reports it if no daemon runs and the settings select team mode', async () => {
    const workspace = await makeFolder()
    await writeFile(join(workspace, 'agent.yaml'), 'auth: { mode: team }\n')

    expect(await installWith({ ...noService, SVC_PATH: workspace })).toMatchObject(needsToken)
    expect(await installWith({ ...noService, SVC_AUTH_MODE: 'team' })).toMatchObject(needsToken)
  })

  test('does not mention tokens in local mode', async () => {
    const workspace = await makeFolder()
    await writeFile(join(workspace, 'agent.yaml'), 'auth: { mode: local }\n')

    const output = await installWith({ ...noService, SVC_PATH: workspace })
    expect(output).toMatchObject({ code: 0, stdout: expect.not.stringContaining('token') })
    const { stdout } = await installWith(noService, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ status: 'installed', notices: [] })
  })
})
