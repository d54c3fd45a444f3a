import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { type Service, startService } from '../support/start-service.ts'

const config = { logging: { level: 'debug' } }
const service = await startService({ engine: 'sqlite', config })
afterAll(() => service.stop())
const remember = (content: string) =>
  service.ask('POST /api/memory/remember', { body: { content } })

test('later log entries follow earlier ones, one line each, until Ctrl-C', async () => {
  const { following, written } = follow(service, ['--json'])
  await vi.waitFor(() => expect(messagesOf(written())).toContain('ready'), 10_000)

  await vi.waitFor(async () => {
    await remember(`Ada likes green tea, sort ${written().length}`)
    expect(messagesOf(written())).toContain('memory saved')
  }, 10_000)

  following.kill('SIGINT')
  expect(await once(following, 'close')).toEqual([0, null])
})

test('exits with 5 if the daemon ends', async () => {
  const brief = await startService({ engine: 'sqlite', config })
  const { following, written, complaint } = follow(brief, [])
  await vi.waitFor(() => expect(written()).toContain(' ready\n'), 10_000)
  const ended = once(following, 'close')

  await brief.stop()

  expect(await ended).toEqual([5, null])
  expect(complaint()).toContain(`the daemon at ${brief.url} closed the connection`)
})

test('events of the daemon are followed by type', async () => {
  const { following, written } = follow(service, [], ['events', '--types', 'memory.*'])
  await vi.waitFor(() => expect(written()).toContain('connected'), 10_000)
  const { body } = await remember('The linnet sings in the gorse')

  await vi.waitFor(() => expect(written()).toContain('memory.saved'), 10_000)
  expect(written()).toContain(`id="${body['id']}"`)
  expect(written()).not.toContain('linnet')
  following.kill('SIGINT')
  expect(await once(following, 'close')).toEqual([0, null])
})

test('a task is followed by the beginning of its id, and so are its other commands', async () => {
  const task = ['task', 'add', 'walk', 'Walk.', '0 9 * * 1', 'kimi']
  const { id } = await reverieOf(service, 'admin').json(task)
  const short = String(id).slice(0, 13)
  const { run } = reverieOf(service, 'admin')
  const { written } = follow(service, ['--json'], ['task', 'follow', short])
  await vi.waitFor(() => expect(written()).toContain('connected'), 10_000)
  expect((await run(['task', 'run', short])).code).toBe(0)

  await vi.waitFor(() => expect(written()).toContain('kimi is not installed'), 10_000)
  expect((await run(['task', 'runs', short])).stdout).toContain('kimi is not installed')
  expect((await run(['task', 'edit', short, '--name', 'stroll'])).code).toBe(0)
  expect((await run(['task', 'show', short])).stdout).toContain('stroll')
  expect((await run(['task', 'cancel', short])).stdout).toContain('does not run')
  expect((await run(['task', 'remove', short, '--yes'])).code).toBe(0)
  expect((await run(['task', 'show', short])).stderr).toContain(`there is no task ${short}`)
})

test('messages are followed, listed and acknowledged by the beginning of their id', async () => {
  const { run } = reverieOf(service, 'operator', 'wren')
  const { written } = follow(service, [], ['message', 'follow', '--agent', 'wren'])
  const connected = async () => {
    await reverieOf(service).run(['message', 'send', 'The gate is open.', '--to', 'wren'])
    expect(written()).toContain('ada → wren · info\nThe gate is open.')
  }
  await vi.waitFor(connected, 10_000)
  const [, id = ''] = /gate is open\.\n(\S{13})/.exec(written()) ?? []

  const refused = await run(['message', 'send', 'Whom?'])
  expect(refused.stderr).toContain('--to, --session or --broadcast is required')
  expect((await run(['message', 'ack', id])).stdout).toContain('Marked as read')
  expect((await run(['message', 'inbox'])).stdout).toContain('· read')
  expect((await run(['message', 'ack', 'abcdef01'])).stderr).toContain('there is no message')
})

function follow(
  at: Service,
  options: readonly string[],
  command: readonly string[] = ['logs', '--follow'],
) {
  const { env } = reverieOf(at, 'admin')
  const args = ['dist/main.js', ...command, ...options]
  const following = spawn(process.execPath, args, { env })
  onTestFinished(() => void following.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    following[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  return { following, written: () => texts.stdout, complaint: () => texts.stderr }
}

function messagesOf(lines: string): readonly string[] {
  return lines
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line).message)
}
