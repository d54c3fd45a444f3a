import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

async function createHome() {
  const home = await makeFolder()
  const json = async (...args: readonly string[]) =>
    expect(await runReverie([...args, '--json'], { env: { HOME: home } })).toMatchObject({
      code: 0,
      stderr: '',
    })
  return { home, json }
}

const readCommand = async (home: string) => {
  const { hooks } = JSON.parse(await readFile(join(home, '.claude', 'settings.json'), 'utf8'))
  expect(hooks.SessionStart).toHaveLength(1)
  return String(hooks.SessionStart[0].hooks[0].command)
}

test('a hook is run by the Node that npm delivered, without a second start', async () => {
  const { home, json } = await createHome()
  await json('install', 'claude-code')
  const command = await readCommand(home)
  const { url, requests } = await startFakeDaemon(answerWith({ inject: 'green tea' }))

  const options = { env: { SVC_URL: url }, encoding: 'utf8', timeout: 10_000 } as const
  const running = promisify(execFile)('/bin/sh', ['-c', command], options)
  running.child.stdin?.end('{}')

  expect((await running).stdout).toContain('green tea')
  expect(requests).toHaveLength(1)
  const [node, script, ...rest] = command.split(' ')
  expect(node).toMatch(/\/node_modules\/node-[a-z]+-[a-z0-9]+\/bin\/node$/)
  expect([script, ...rest]).toEqual([
    join(process.cwd(), 'dist', 'hook.cjs'),
    'hook',
    'session-start',
    '-H',
    'claude-code',
  ])
})

test('a hook is run by the launcher that --command names, and either form takes the place of the other', async () => {
  const { home, json } = await createHome()
  await json('install', 'claude-code')
  const direct = await readCommand(home)
  await json('install', 'claude-code', '--command', '/opt/a/reverie')
  expect(await readCommand(home)).toBe('/opt/a/reverie hook session-start -H claude-code')

  await json('install', 'claude-code')
  expect(await readCommand(home)).toBe(direct)
})
