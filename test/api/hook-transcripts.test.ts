import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { removeFolder } from '../support/make-folder.ts'
import { type Ask, startService } from '../support/start-service.ts'

const stagingFolder = join(tmpdir(), `reverie-staged-${crypto.randomUUID()}`)
await mkdir(stagingFolder)
const service = await startService({ config: { transcripts: { stagingFolder } } })
afterAll(() => Promise.all([service.stop(), removeFolder(stagingFolder)]))

const { hook, newKey } = hooksOf(service)
const end = async (body: object) => (await hook('session-end', body)).body
const transcriptOf = async (key: string, ask: Ask = {}) =>
  (await service.ask(`GET /api/sessions/${encodeURIComponent(key)}/transcript`, ask)).body[
    'content'
  ]
const receiptOf = (job: unknown, query = '') =>
  service.ask(`GET /api/hooks/transcript-capture/${job}${query}`)
const waitForCapture = (job: unknown) =>
  expect
    .poll(async () => (await receiptOf(job)).body['status'], { timeout: 30_000 })
    .toBe('completed')
const readLines = async (sessionKey: string) => {
  const file = join(service.workspace, 'transcripts', 'codex', 'transcript.jsonl')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  return lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter((line) => line['session_key'] === sessionKey)
}
const stage = async (name: string, text: string) => {
  await writeFile(join(stagingFolder, name), text)
  return join(stagingFolder, name)
}
const idOf = (source: string) =>
  `tcj_${createHash('sha256').update(`ada\0${source}`).digest('hex').slice(0, 32)}`

describe('prompt', () => {
  test('the longer of the sent and the stored transcript wins', async () => {
    const sessionKey = newKey()
    const ask = (more: object) =>
      hook('user-prompt-submit', { sessionKey, userMessage: 'where is the hoe?', ...more })
    const long = 'User: a\nAssistant: b\nUser: where is the hoe?'
    await ask({ lastAssistantMessage: 'Good morning.' })
    expect(await transcriptOf(sessionKey)).toBe('Assistant: Good morning.\nUser: where is the hoe?')

    await ask({ transcript: `${long}, and where the spade?` })
    const transcriptPath = await stage('short.txt', 'User: a')
    await ask({ transcriptPath })
    expect(await transcriptOf(sessionKey)).toBe(`${long}, and where the spade?`)
    await ask({ transcriptPath, transcript: `${long}, and where the spade?\nAssistant: c` })
    expect(await transcriptOf(sessionKey)).toBe(`${long}, and where the spade?\nAssistant: c`)
  })

  test.each(['memory_feedback', 'memoryFeedback'])('%s rates shown memories', async (name) => {
    const sessionKey = newKey()
    const content = `the hoe hangs in the shed, ${sessionKey}`
    const { body } = await service.ask('POST /api/memory/remember', { body: { content } })
    const feedback = { [String(body['id'])]: 0.5 }

    await hook('user-prompt-submit', { sessionKey, userMessage: 'mow it', [name]: feedback })

    expect(
      (await service.ask('POST /api/memory/feedback', { body: { sessionKey, feedback } })).body,
    ).toMatchObject({ results: [{ status: 'unchanged' }] })
  })

  test('removes injected blocks of the harness', async () => {
    const sessionKey = newKey()
    const block = '<svc-memory-context>\nUser: old\n</svc-memory-context>'

    await hook('user-prompt-submit', { sessionKey, userMessage: block, userPrompt: ' mow it ' })

    expect(await transcriptOf(sessionKey)).toBe('User: mow it')
  })

  test.each([
    '<svc-memory-context>\nUser: old\n</svc-memory-context>',
    '<private>mow it</private>',
    ' <system-reminder>x</system-reminder> <private>never closed',
  ])('returns an empty reply for a private prompt: %j', async (userMessage) => {
    const sessionKey = newKey()

    expect(await hook('user-prompt-submit', { sessionKey, userMessage })).toMatchObject({
      status: 200,
      body: { inject: '', dynamicContext: '', memoryCount: 0 },
    })
    expect(await transcriptOf(sessionKey)).toBe(undefined)
  })

  test.each([{}, { userMessage: '' }, { userMessage: ' ', userPrompt: '' }])(
    'refuses an empty prompt: %j',
    async (prompt) => {
      expect(await hook('user-prompt-submit', { sessionKey: newKey(), ...prompt })).toMatchObject({
        status: 400,
        body: { error: 'harness and userMessage or userPrompt are required' },
      })
    },
  )
})

describe('session end', () => {
  test('captures the transcript with its agent, project and time', async () => {
    const sessionKey = newKey()
    const transcript = 'User: where is the rake?\nAssistant: It leans on the barn.'

    const ended = await end({
      sessionKey,
      sessionId: 'native-1',
      cwd: '/garden',
      transcript,
      capturedAt: '2026-03-04T05:06:07+01:00',
    })

    const job = idOf(`session:${sessionKey}`)
    expect(ended).toEqual({ memoriesSaved: 0, queued: true, transcriptCaptureJobId: job })
    await waitForCapture(job)
    const expected = {
      schema: 'svc.transcript.v1',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      captured_at: '2026-03-04T04:06:07.000Z',
      agent_id: 'ada',
      harness: 'codex',
      session_key: sessionKey,
      session_id: 'native-1',
      project: '/garden',
      source_format: 'markdown',
      source_sha256: createHash('sha256').update(transcript).digest('hex'),
    }
    expect(await readLines(sessionKey)).toEqual([
      { ...expected, seq: 1, role: 'user', content: 'where is the rake?' },
      { ...expected, seq: 2, role: 'assistant', content: 'It leans on the barn.' },
    ])
    expect((await receiptOf(job)).body).toEqual({
      id: job,
      status: 'completed',
      error: null,
      attempts: expect.any(Number),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      completedAt: expect.any(String),
    })
    expect((await receiptOf(job, '?agentId=bob')).body).toMatchObject({
      error: 'Transcript capture job not found',
    })
    const memories = (await service.ask('GET /api/memories')).body['memories']
    expect(JSON.stringify(memories)).not.toContain('rake')
    const [manifest = ''] = await readdir(join(service.workspace, 'memory')).then((names) =>
      names.filter((name) => name.startsWith('2026-03-04T04-06-07.000Z--')),
    )
    expect(manifest).toMatch(/--[a-z2-7]{16}--manifest\.md$/)
  })

  test('derives the receipt from the source without a session', async () => {
    const transcript = 'User: who feeds the geese?'
    const source = `inline:${createHash('sha256').update(transcript).digest('hex').slice(0, 32)}`
    const transcriptPath = await stage('geese.txt', transcript)

    expect(await end({ transcript })).toMatchObject({ transcriptCaptureJobId: idOf(source) })
    expect(await end({ transcriptPath })).toMatchObject({
      transcriptCaptureJobId: idOf(`file:codex:${transcriptPath}`),
    })
    expect(await end({ transcript, sessionId: 'native-2' })).toMatchObject({
      transcriptCaptureJobId: idOf('session:native-2'),
    })
    expect(await transcriptOf('native-2')).toBe(transcript)
  })

  test('captures nothing for an empty transcript', async () => {
    const nothing = { memoriesSaved: 0, queued: false }

    for (const input of [{}, { transcriptPath: 'a\0b' }]) expect(await end(input)).toEqual(nothing)
    for (const transcript of [' \n', '{"role":"system","content":"x"}', '<svc-memory>User: a'])
      expect(await end({ sessionKey: newKey(), transcript })).toEqual(nothing)
  })

  test('does not capture a cleared conversation', async () => {
    const sessionKey = newKey()
    await hook('user-prompt-submit', { sessionKey, userMessage: 'forget that' })

    expect(await end({ sessionKey, transcript: 'User: forget that', reason: 'clear' })).toEqual({
      memoriesSaved: 0,
    })

    expect((await receiptOf(idOf(`session:${sessionKey}`))).status).toBe(404)
  })

  test('ignores a shorter transcript and appends new turns', async () => {
    const sessionKey = newKey()
    const capture = async (transcript: string) => {
      await hook('session-start', { sessionKey })
      const { transcriptCaptureJobId } = await end({ sessionKey, transcript })
      await waitForCapture(transcriptCaptureJobId)
      return (await readLines(sessionKey)).map(({ seq, content }) => [seq, content])
    }
    const both = [
      [1, 'a'],
      [2, 'b'],
    ]

    expect(await capture('User: a\nAssistant: b')).toEqual(both)
    expect(await capture('User: a')).toEqual(both)
    expect(await capture('User: a\nAssistant: b\nUser: c')).toEqual([...both, [3, 'c']])
  })

  test('refuses a time that is not in ISO format', async () => {
    for (const capturedAt of ['Jan 1, 2026', 1_770_000_000_000, '2026-02-30', '2026-01-01 10:00'])
      expect(await hook('session-end', { sessionKey: newKey(), capturedAt })).toMatchObject({
        status: 400,
        body: { error: 'capturedAt must be an ISO timestamp' },
      })
    for (const capturedAt of ['', null, '2026-01-01', '2026-01-01T10:00Z'])
      expect((await hook('session-end', { sessionKey: newKey(), capturedAt })).status).toBe(200)
  })
})

describe('transcript path', () => {
  const read = async (transcriptPath: string) => {
    const sessionKey = newKey()
    const { queued } = await end({ sessionKey, transcriptPath })
    return queued ? await transcriptOf(sessionKey) : undefined
  }

  test('reads the newest lines of a file under the staging folder', async () => {
    const line = (number: number) => `User: ${String(number).padStart(93, '0')}\n`
    const whole = Array.from({ length: 4000 }, (_, number) => line(number)).join('')
    const longer = `${whole}${line(4000)}`

    expect(await read(await stage('whole.txt', whole))).toBe(whole.trimEnd())
    expect(await read(await stage('longer.txt', longer))).toBe(
      `[truncated]\n${longer.slice(line(0).length * 2).trimEnd()}`,
    )
  })

  test('ignores a path outside the staging folder', async () => {
    const outside = join(service.workspace, 'agent.yaml')
    await symlink(outside, join(stagingFolder, 'link.txt'))
    const paths = [
      outside,
      join(stagingFolder, 'link.txt'),
      stagingFolder,
      'geese.txt',
      '/dev/zero',
    ]

    for (const path of [...paths, join(stagingFolder, 'none.txt'), `${stagingFolder}/../x`])
      expect(await read(path)).toBeUndefined()
  })

  test('prefers an inline transcript to the file, and the file to the stored one', async () => {
    const sessionKey = newKey()
    const transcriptPath = await stage('known.txt', 'User: a\nAssistant: of the file')
    await hook('user-prompt-submit', { sessionKey, userMessage: 'a' })

    await end({ sessionKey, transcriptPath: '/nowhere' })
    expect(await transcriptOf(sessionKey)).toBe('User: a')
    const other = newKey()
    await end({ sessionKey: other, transcriptPath, transcript: 'User: a\nAssistant: inline' })
    expect(await transcriptOf(other)).toBe('User: a\nAssistant: inline')
  })

  test('logs an unread file and a long transcript without turns', async () => {
    const withoutTurns = JSON.stringify({ role: 'system', content: 'x'.repeat(500) })

    await end({ sessionKey: newKey(), transcriptPath: '/dev/zero' })
    await end({ sessionKey: newKey(), transcript: withoutTurns })

    const { body } = await service.ask('GET /api/logs?level=warn&limit=100')
    const messages = (body['logs'] as { readonly message: string }[]).map(({ message }) => message)
    expect(messages).toEqual(
      expect.arrayContaining(['transcript file not read', 'transcript without a turn']),
    )
  })
})
