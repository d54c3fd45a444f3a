import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { followStream } from '../support/follow-stream.ts'
import { removeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'

let service: Service
let programs: string

const key = ['ghp', 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY3zA5'].join('_')
const replies: string[] = []

/** A harness that prints its prompt or a credential, or runs until it is ended. */
const harness = `#!/bin/sh
case "$2" in
  *leak*) echo "found ${key}"; echo "${key}" >&2 ;;
  *forever*) echo begun; exec sleep 600 ;;
  *fail*) echo broken >&2; exit 3 ;;
  *) echo "answer to $2" ;;
esac
`

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'reverie-tasks-'))
  await writeFile(join(programs, 'kimi'), harness)
  await chmod(join(programs, 'kimi'), 0o755)
  service = await startService({
    mode: 'local',
    env: { PATH: `${programs}:/usr/bin:/bin` },
  })
})
afterAll(async () => {
  await service.stop()
  await removeFolder(programs)
})

async function ask(call: string, body?: object) {
  const reply = await service.ask(call, { ...(body && { body }) })
  replies.push(JSON.stringify(reply.body))
  return reply
}

async function createTask(prompt: string, more: object = {}): Promise<string> {
  const fields = { name: prompt, prompt, cronExpression: '0 9 * * 1', harness: 'kimi', ...more }
  const { status, body } = await ask('POST /api/tasks', fields)
  expect(status).toBe(201)
  return String(body['id'])
}

const latestRun = async (id: string) => {
  const { body } = await ask(`GET /api/tasks/${id}/runs`)
  return (body['runs'] as Readonly<Record<string, unknown>>[])[0]
}

test('a task is created, listed, changed and deleted', async () => {
  const id = await createTask('say hello')
  const listed = await ask('GET /api/tasks')
  expect(JSON.stringify(listed.body)).toContain(id)
  const changed = await ask(`PATCH /api/tasks/${id}`, { name: 'Greeting', enabled: false })
  expect(changed.status).toBe(200)
  const read = await ask(`GET /api/tasks/${id}`)
  expect(read.body).toMatchObject({ task: { name: 'Greeting', enabled: 0, next_run_at: null } })

  expect((await ask(`DELETE /api/tasks/${id}`)).status).toBe(200)
  expect((await ask(`GET /api/tasks/${id}`)).status).toBe(404)
})

test.each([
  ['without a name', { name: '' }],
  ['with four fields of cron', { cronExpression: '0 9 * *' }],
  ['with a minute that does not exist', { cronExpression: '61 9 * * *' }],
  ['for an unknown harness', { harness: 'other' }],
  ['in a relative folder', { workingDirectory: 'projects' }],
])('a task %s is refused', async (_, fields) => {
  const valid = { name: 'a', prompt: 'b', cronExpression: '0 9 * * *', harness: 'kimi' }

  expect((await ask('POST /api/tasks', { ...valid, ...fields })).status).toBe(400)
})

test('a run stores its output and its end', async () => {
  const id = await createTask('what is new')
  const started = await ask(`POST /api/tasks/${id}/run`)
  expect(started.status).toBe(202)

  await expect.poll(async () => (await latestRun(id))?.['status']).toBe('completed')
  expect(await latestRun(id)).toMatchObject({ trigger: 'manual', exit_code: 0, error: null })
  expect(String((await latestRun(id))?.['stdout'])).toContain('answer to what is new')
})

test('a harness that fails is a failed run with its exit code', async () => {
  const id = await createTask('please fail')
  await ask(`POST /api/tasks/${id}/run`)

  await expect.poll(async () => (await latestRun(id))?.['status']).toBe('failed')
  expect(await latestRun(id)).toMatchObject({ exit_code: 3 })
})

test('a second run is refused while one is live, and a cancelled run has failed', async () => {
  const id = await createTask('run forever')
  await ask(`POST /api/tasks/${id}/run`)
  await expect.poll(async () => (await latestRun(id))?.['status']).toBe('running')
  expect(await ask(`POST /api/tasks/${id}/run`)).toMatchObject({ status: 409 })

  expect((await ask(`POST /api/tasks/${id}/cancel`)).body).toMatchObject({ cancelled: true })
  await expect.poll(async () => (await latestRun(id))?.['status']).toBe('failed')
})

test('a stream shows a run live, replays it and resumes after an event', async () => {
  const id = await createTask('run forever, streamed')
  const follow = (headers = {}) => followStream(service, `/api/tasks/${id}/stream`, { headers })
  const early = await follow()
  await ask(`POST /api/tasks/${id}/run`)
  expect(await early.nextOf('run-started')).toMatchObject({ taskId: id })
  expect(await early.nextOf('run-output')).toMatchObject({ stream: 'stdout', chunk: 'begun\n' })
  const outputId = early.lastId()

  const late = await follow()
  expect([await late.next(), await late.next(), await late.next()]).toMatchObject([
    { type: 'connected' },
    { type: 'run-started' },
    { type: 'run-output', chunk: 'begun\n' },
  ])
  late.end()
  await ask(`POST /api/tasks/${id}/cancel`)
  const resumed = await follow({ 'last-event-id': outputId })
  expect([await resumed.next(), await resumed.next()]).toMatchObject([
    { type: 'connected' },
    { type: 'run-completed', status: 'failed', error: 'cancelled' },
  ])
})

test('a credential that a harness prints is in no stream, reply, file, table or log', async () => {
  const id = await createTask('please leak')
  const stream = await followStream(service, `/api/tasks/${id}/stream`)
  await ask(`POST /api/tasks/${id}/run`)
  const output = await stream.nextOf('run-output')
  expect(output).toMatchObject({ chunk: expect.stringContaining('[REDACTED]') })
  await stream.nextOf('run-completed')
  expect(await latestRun(id)).toMatchObject({ stdout: 'found [REDACTED]\n' })

  await expectNoLeak(service, [key], [...replies, JSON.stringify(output)])
})
