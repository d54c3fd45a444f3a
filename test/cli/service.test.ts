import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeHome, readHome } from '../support/make-home.ts'
import { makeServiceHome } from '../support/make-service-home.ts'
import { runReverie } from '../support/run-reverie.ts'

const run = promisify(execFile)
const unit = '.config/systemd/user/reverie.service'

test('a service runs the daemon, restarts it after a failure, and is removed without a trace', async () => {
  const { home, json, run: reverie } = await makeServiceHome()
  const installed = await json(['service', 'install'])
  expect(installed).toMatchObject({ status: 'installed', manager: 'systemd' })
  expect(await json(['service', 'status'])).toMatchObject({
    installed: true,
    supervised: true,
    running: true,
  })
  expect(await json(['service', 'install'])).toMatchObject({ status: 'unchanged' })

  const first = await readDaemon(home)
  process.kill(first.pid, 'SIGKILL')
  await expect
    .poll(async () => (await readDaemon(home)).pid, { timeout: 20_000 })
    .not.toBe(first.pid)
  await expect
    .poll(async () => (await json(['service', 'status'])).running, { timeout: 20_000 })
    .toBe(true)

  const removed = await json(['service', 'uninstall'])
  expect(removed).toMatchObject({ status: 'uninstalled', files: [join(home, unit)] })
  expect(await readHome(home)).toEqual({})
  expect(await readdir(home)).toEqual(['.svc'])
  expect((await reverie(['status'])).code).not.toBe(0)
  expect(await json(['service', 'uninstall'])).toMatchObject({ status: 'not_installed' })
})

test('start and restart of an installed service go through the service manager', async () => {
  const { json } = await makeServiceHome()
  await json(['service', 'install'])
  await json(['stop'])
  expect(await json(['service', 'status'])).toMatchObject({ installed: true, running: false })

  expect(await json(['start'])).toMatchObject({ status: 'started' })
  expect(await json(['service', 'status'])).toMatchObject({ supervised: true, running: true })
  await json(['restart'])
  expect(await json(['service', 'status'])).toMatchObject({ supervised: true, running: true })
})

test('the unit of an unusual workspace is valid for systemd, and a dry run writes nothing', async () => {
  const { home } = await makeHome()
  const workspace = join(home, `tea "50%" $HOME`)
  const env = { HOME: home, SVC_PATH: workspace }
  const { stdout } = await runReverie(['service', 'install', '--dry-run', '--json'], { env })
  const { files, commands } = JSON.parse(stdout)

  expect(await readHome(home)).toEqual({})
  expect(commands).toContain('systemctl --user enable reverie.service')
  const [{ path, text }] = files
  expect(path).toBe(join(home, unit))
  expect(text).toContain('Restart=on-failure\n')
  expect(text).toContain(`Environment="SVC_PATH=${home}/tea \\"50%%\\" $HOME"`)
  await expectValidUnit(text)
})

test('without a service manager, the line for another supervisor is named', async () => {
  const { home, run } = await makeHome()
  const { code, stderr } = await run('service', 'install', '--json')

  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'no_service_manager',
    hint: expect.stringMatching(/reverie start --foreground$/),
  })
  expect(await readHome(home)).toEqual({})
})

test('a variable with a database address is refused, because a unit is no place for a password', async () => {
  const { home } = await makeHome()
  const env = { HOME: home, SVC_DATABASE_URL: 'postgres://user:secret@localhost/reverie' }
  const { code, stderr } = await runReverie(['service', 'install', '--dry-run'], { env })

  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('database.url'),
  })
  expect(stderr).not.toContain('secret')
})

test('the logs of the service are readable while no daemon runs', async () => {
  const { home, json } = await makeServiceHome()
  await json(['service', 'install'])
  await json(['stop'])
  const { lines, log } = await json(['service', 'logs', '--lines', '3'])

  expect(log).toBe(join(home, '.svc', 'logs', 'daemon.log'))
  expect(lines).toHaveLength(3)
  expect(lines.join('\n')).toContain('stopping')
})

async function readDaemon(home: string): Promise<{ readonly pid: number }> {
  const text = await readFile(join(home, '.svc', '.daemon', 'daemon.json'), 'utf8').catch(() => '')
  return text === '' ? { pid: 0 } : JSON.parse(text)
}

/** Where systemd is not installed, the assertions on the text remain. */
async function expectValidUnit(text: string): Promise<void> {
  const { home } = await makeHome({ 'reverie.service': text })
  const { PATH = '' } = process.env
  const env = { PATH, HOME: home, XDG_RUNTIME_DIR: home }
  const verify = ['verify', '--user', join(home, 'reverie.service')]
  const { stderr } = await run('systemd-analyze', verify, { env }).catch((error) => {
    if (error.code === 'ENOENT') return { stderr: '' }
    throw error
  })
  // Versions before 254 ignore the keys of the growing delay.
  const faults = stderr.split('\n').filter((line) => !/'Restart(Steps|MaxDelaySec)'/.test(line))
  expect(faults.join('\n')).not.toContain('reverie.service')
}
