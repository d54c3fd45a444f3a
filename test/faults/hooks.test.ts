import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { inspectDatabase } from '../support/inspect-database.ts'
import { sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'

async function serve() {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())
  return { service, workspace }
}

const hook = (service: Service, name: string, body: object) =>
  hooksOf(service, { project: '/p' }).hook(name, body)

const turnsOf = (words: string, count: number) =>
  Array.from({ length: count }, (_, number) => `User: ${words} ${number}`).join('\n')

/** The turns in the file of a session, in order. */
async function readLines(workspace: string, sessionKey: string) {
  const file = join(workspace, 'transcripts', 'codex', 'transcript.jsonl')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  return lines
    .map((line): { session_key: string; seq: number; content: string } => JSON.parse(line))
    .filter((line) => line.session_key === sessionKey)
}

async function untilCaptured(service: Service, jobId: unknown): Promise<void> {
  const ask = () => service.ask(`GET /api/hooks/transcript-capture/${jobId}`)
  await expect
    .poll(async () => (await ask()).body, { timeout: 30_000 })
    .toMatchObject({ status: 'completed', error: null })
}

test('a session killed between claim and capture is captured completely and once', async () => {
  const { service, workspace } = await serve()

  for (const afterMs of sampleRounds([0, 3, 10, 30], 2)) {
    const sessionKey = `killed-${afterMs}`
    await hook(service, 'session-start', { sessionKey })
    await hook(service, 'user-prompt-submit', { sessionKey, userMessage: 'mend the fence' })
    const transcript = turnsOf('mend the fence', 400)
    const ending = hook(service, 'session-end', { sessionKey, transcript }).catch(() => undefined)
    await Promise.race([ending, pause(afterMs)])
    await service.kill()
    await ending
    expect(inspectDatabase(workspace)).toEqual([])
    await service.restart()

    const again = (await hook(service, 'session-end', { sessionKey, transcript })).body
    const session = `/api/sessions/${sessionKey}`
    expect(again).toMatchObject(again['skipped'] ? { endedBy: 'plugin' } : { queued: true })
    expect((await service.ask(`GET ${session}`)).status).toBe(404)
    expect((await service.ask(`GET ${session}/transcript`)).body['content']).toBe(transcript)
    await expect
      .poll(async () => (await readLines(workspace, sessionKey)).length, { timeout: 30_000 })
      .toBe(400)
    const written = await readLines(workspace, sessionKey)
    expect(written.map(({ seq }) => seq)).toEqual(written.map((_, index) => index + 1))
  }
})

test('of eight concurrent ends one captures, and all are answered', async () => {
  const { service, workspace } = await serve()
  const sessionKey = 'ended-by-many'
  await hook(service, 'session-start', { sessionKey })
  const transcript = turnsOf('feed the geese', 20)

  const replies = await Promise.all(
    Array.from({ length: 8 }, () => hook(service, 'session-end', { sessionKey, transcript })),
  )

  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const worked = replies.filter(({ body }) => body['queued'] === true)
  const repeated = replies.filter(({ body }) => body['duplicateSessionEnd'] === true)
  expect([worked.length, repeated.length]).toEqual([1, 7])
  await untilCaptured(service, worked[0]?.body['transcriptCaptureJobId'])
  expect(await readLines(workspace, sessionKey)).toHaveLength(20)
})

test('of two concurrent runtime paths one claims the session, also after a kill', async () => {
  const { service } = await serve()
  const begin = (sessionKey: string, runtimePath: string) =>
    hook(service, 'session-start', { sessionKey, runtimePath })

  for (let round = 0; round < 10; round++) {
    const sessionKey = `raced-${round}`
    const replies = await Promise.all([begin(sessionKey, 'plugin'), begin(sessionKey, 'legacy')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
  const { body } = await begin('raced-0', 'legacy')
  const holder = body['claimedBy'] ?? 'legacy'
  await service.kill()
  await service.restart()
  const other = holder === 'legacy' ? 'plugin' : 'legacy'
  expect(await begin('raced-0', other)).toMatchObject({
    status: 409,
    body: { claimedBy: holder, duplicateRuntimePath: true, inject: '' },
  })
  const end = { sessionKey: 'raced-0', runtimePath: holder }
  expect((await hook(service, 'session-end', end)).status).toBe(200)
  expect((await begin('raced-0', other)).status).toBe(200)
})

test('a restart in the middle of a session loses nothing of it', async () => {
  const { service, workspace } = await serve()
  const sessionKey = 'restarted'
  await hook(service, 'session-start', { sessionKey })
  const say = (userMessage: string) =>
    hook(service, 'user-prompt-submit', { sessionKey, userMessage })
  await say('sow the clover')
  await service.kill()
  await service.restart()

  expect((await hook(service, 'session-start', { sessionKey, claimOnly: true })).body).toEqual({
    sessionKnown: true,
  })
  expect((await say('mow the meadow')).body).toMatchObject({ sessionKnown: true })
  const { body } = await hook(service, 'session-end', { sessionKey })
  await untilCaptured(service, body['transcriptCaptureJobId'])
  expect((await readLines(workspace, sessionKey)).map(({ content }) => content)).toEqual([
    'sow the clover',
    'mow the meadow',
  ])
  expect((await service.ask(`GET /api/checkpoints/${sessionKey}`)).body).toMatchObject({
    checkpoints: [{ trigger: 'session_end', prompt_count: 2 }],
  })
})
