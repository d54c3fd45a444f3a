import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { removeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const mark = key.slice(4).toLowerCase()
const content = `Maud keeps ${key} near <private>umbrage</private> the barn`
const home = await mkdtemp(join(tmpdir(), 'reverie-modes-'))
const start = (secrets: string) =>
  startService({
    config: { hygiene: { secrets }, telemetry: { memorySearchQaEnabled: true } },
    env: { CODEX_HOME: join(home, secrets) },
  })
const [blocking, off, redacting] = await Promise.all([
  start('block'),
  start('off'),
  start('redact'),
])
afterAll(async () => {
  await Promise.all([blocking, off, redacting].map((service) => service.stop()))
  await removeFolder(home)
})

const session = { harness: 'mine', sessionKey: 'agent:ada:modes', project: '/projects/tea' }
/** Calls that succeed whatever their text contains. */
const derived: readonly (readonly [call: string, body: object])[] = [
  ['POST /api/hooks/session-start', session],
  ['POST /api/hooks/user-prompt-submit', { ...session, userMessage: content }],
  ['POST /api/hooks/user-prompt-submit', { ...session, userMessage: '<private>x</private>' }],
  ['POST /api/hooks/recall', { ...session, query: content }],
  ['POST /api/hooks/pre-compaction', { ...session, sessionContext: content }],
  ['POST /api/hooks/compaction-complete', { ...session, summary: content }],
  ['POST /api/hooks/session-checkpoint-extract', { ...session, transcript: `User: ${content}` }],
  ['POST /api/hooks/session-end', { ...session, transcript: `User: ${content}`, reason: content }],
  ['POST /api/memory/recall', { query: content }],
]

/** Waits until the transcript file contains the session. */
async function waitForFiles(service: typeof off): Promise<void> {
  const text = 'maud keeps [redacted] near'
  await expect
    .poll(() => listPlacesHolding(service, [text]), { timeout: 20_000 })
    .toContain(`transcripts/mine/transcript.jsonl: ${text}`)
}

describe('with `block`', () => {
  const refused = { status: 400, body: { code: 'credential_blocked', kinds: ['github-token'] } }

  test.each([
    ['POST /api/memory/remember', { content }],
    ['POST /api/memory/remember', { content: 'x', metadata: { [key]: 1 } }],
    ['POST /api/hooks/remember', { harness: 'mine', content }],
    ['POST /api/memory/codex-native-note', { content }],
  ])('%s refuses a credential', async (call, body) => {
    expect(await blocking.ask(call, { body })).toMatchObject(refused)
  })

  test('an update refuses a credential', async () => {
    const { body } = await blocking.ask('POST /api/memory/remember', { body: { content: 'plain' } })
    const update = { tags: [key], reason: 'a test' }

    expect(await blocking.ask(`PATCH /api/memory/${body['id']}`, { body: update })).toMatchObject(
      refused,
    )
  })

  test('an import and the tool `memory_store` refuse a credential', async () => {
    const { run } = reverieOf(blocking)
    const lines = [{ content }, { content: 'a plain line' }]
    const input = lines.map((line) => JSON.stringify(line)).join('\n')
    const { stdout, stderr } = await run(['import', '-', '--json'], input)
    const output = await callTool(blocking, {
      name: 'memory_store',
      arguments: { content },
    })

    expect(JSON.parse(stdout)).toMatchObject({ imported: 1, rejected: 1 })
    expect(output).toContain('"isError":true')
    for (const text of [stdout, stderr, output]) expect(text.toLowerCase()).not.toContain(mark)
  })

  test.each(derived)('%s is accepted and redacted: %o', async (call, body) => {
    const reply = await blocking.ask(call, { body })

    expect(reply.status).toBe(200)
    expect(JSON.stringify(reply.body).toLowerCase()).not.toContain(mark)
  })

  test('no file or table contains the credential or the private span', async () => {
    await waitForFiles(blocking)
    expect(await listPlacesHolding(blocking, [mark, 'umbrage'])).toEqual([])
  })
})

describe('with `off`', () => {
  test.each(derived)('%s is redacted: %o', async (call, body) => {
    const reply = await off.ask(call, { body })

    expect(reply.status).toBe(200)
    expect(JSON.stringify(reply.body).toLowerCase()).not.toContain(mark)
  })

  test('derived texts contain no credential in any file or table', async () => {
    await waitForFiles(off)
    expect(await listPlacesHolding(off, [mark, 'umbrage'])).toEqual([])
  })

  test('a memory retains its credential, but no private span', async () => {
    const { body } = await off.ask('POST /api/memory/remember', { body: { content } })

    expect(body['content']).toBe(`Maud keeps ${key} near  the barn`)
    expect(await listPlacesHolding(off, ['umbrage'])).toEqual([])
  })
})

describe('a field with the name of a credential', () => {
  const content = 'The heron stands in the reeds'
  const metadata = { db: { DB_PASSWORD: 'saffron', apiKey: 8_675_309 }, token_count: 12 }
  const found = () => listPlacesHolding(redacting, ['saffron', '8675309'])

  test.each(['metadata', 'structured'])('is redacted in %s', async (name) => {
    const fields = { [name]: metadata, content: `${content} with ${name}` }

    expect(await redacting.ask('POST /api/memory/remember', { body: fields })).toMatchObject({
      status: 200,
      body: { redactions: 2 },
    })
    expect(await found()).toEqual([])
  })

  test('is redacted in an import', async () => {
    const line = JSON.stringify({ content: `${content} by import`, metadata })
    const { stdout } = await reverieOf(redacting).run(['import', '-', '--json'], line)

    expect(JSON.parse(stdout)).toMatchObject({ imported: 1 })
    expect(await found()).toEqual([])
    expect(await listPlacesHolding(redacting, ['token_count'])).not.toEqual([])
  })

  test('is refused with `block`', async () => {
    expect(
      await blocking.ask('POST /api/memory/remember', { body: { content, metadata } }),
    ).toMatchObject({ status: 400, body: { code: 'credential_blocked', kinds: ['secret-field'] } })
  })
})
