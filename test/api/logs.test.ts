import { afterAll, describe, expect, test } from 'vitest'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService({
  config: { logging: { level: 'debug' }, sessions: { closeAtOnce: 3 } },
})
afterAll(() => service.stop())

interface Entry {
  readonly at: string
  readonly timestamp: string
  readonly level: string
  readonly category: string
  readonly message: string
}

const logs = async (query = '', ask: Ask = {}) => {
  const { body } = await service.ask(`GET /api/logs?${query}`, ask)
  return body as unknown as { readonly logs: readonly Entry[]; readonly count: number }
}
const remember = (content: string) =>
  service.ask('POST /api/memory/remember', { body: { content } })

describe('logs', () => {
  test('works: newest last, with both time fields, limited to the newest', async () => {
    await remember('something to log')
    const { logs: all, count } = await logs('limit=1000')

    expect(count).toBe(all.length)
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted())
    expect(all.every(({ at, timestamp }) => at === timestamp)).toBe(true)
    expect(all.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['ready', 'memory saved']),
    )
    expect((await logs('limit=1')).count).toBe(1)
  })

  test('warns of a setting that the file has under its old name', async () => {
    const { logs: warnings } = await logs('level=warn&limit=1000')

    expect(warnings.map(({ message }) => message)).toContain('setting renamed')
  })

  test('works: filters by level, category and time', async () => {
    const { logs: all } = await logs('limit=1000')
    const { category = '' } = all.at(-1) ?? {}

    const mild = (await logs('level=info&limit=1000')).logs
    expect(mild.map(({ level }) => level)).not.toContain('debug')
    expect(mild.length).toBeGreaterThan(0)
    const some = (await logs(`category=${category}&limit=1000`)).logs
    expect([...new Set(some.map(({ category }) => category))]).toEqual([category])
    expect((await logs('since=2200-01-01T00:00:00Z')).logs).toEqual([])
  })

  test('works: contains no secret of a request', async () => {
    const token = service.tokenFor('operator')
    await service.ask('GET /api/agents', { headers: { 'x-api-key': 'hush-hush' } })

    const text = JSON.stringify(await logs('limit=1000')) + service.output()
    for (const secret of [token, 'hush-hush', 'something to log'])
      expect(text).not.toContain(secret)
  })

  test.each([
    ['level=loud', 'level must be one of debug, info, warn, error'],
    ['since=then', 'since must be a valid ISO timestamp'],
    ['limit=1.5', 'limit must be an integer'],
  ])('refuses %s', async (query, error) => {
    expect(await service.ask(`GET /api/logs?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error },
    })
  })

  test('who may: no agent', async () => {
    expect((await service.ask('GET /api/logs', { role: 'agent' })).status).toBe(403)
  })
})

describe('the stream of the log', () => {
  test('works: sends a first event, then new entries', async () => {
    const stream = await follow('')
    expect(await stream.next()).toEqual({ type: 'connected' })

    const { body } = await remember('while somebody listens')

    const { at, ...entry } = await stream.next()
    expect(entry).toMatchObject({ level: 'debug', message: 'memory saved', timestamp: at })
    expect(JSON.stringify(entry)).not.toContain('while somebody listens')
    expect(body['deduped']).toBe(false)
    stream.end()
  })

  test('works: a resumed stream starts with the missed entries', async () => {
    const stream = await follow('')
    await stream.next()
    await remember('one')
    await stream.next()
    const lastId = stream.lastId()
    stream.end()
    await remember('two')
    const again = await follow('', { 'last-event-id': lastId })
    await again.next()
    const missed = await again.next()
    again.end()
    const fresh = await follow('', { 'last-event-id': 'of an earlier life' })
    await fresh.next()
    expect(await fresh.next()).toEqual({ type: 'gap' })
    const oldest = await fresh.next()
    fresh.end()

    expect(missed).toMatchObject({ message: 'memory saved' })
    const { logs } = (await service.ask('GET /api/logs?limit=1000')).body
    expect(oldest['at']).toBe((logs as { at: string }[])[0]?.at)
  })

  test('works: excludes filtered entries', async () => {
    const stream = await follow('level=error')
    await stream.next()
    await remember('of no weight')
    service.signal('SIGTERM')
    await service.ended

    expect(await stream.rest()).toEqual([])
  })
})

/** The events of a stream in order. */
async function follow(query: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  const reply = await fetch(`${service.url}/api/logs/stream?${query}`, {
    headers: { authorization: `Bearer ${service.tokenFor('operator')}`, ...headers },
    signal: leaving.signal,
  })
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  const seen = { id: '' }
  const events = readEvents(reply, (id) => Object.assign(seen, { id }))
  return {
    next: async () => (await events.next()).value as Record<string, unknown>,
    rest: async () => {
      const left: unknown[] = []
      for await (const event of events) left.push(event)
      return left
    },
    lastId: () => seen.id,
    end: () => leaving.abort(),
  }
}

async function* readEvents(
  { body }: Response,
  onId: (id: string) => void,
): AsyncGenerator<Record<string, unknown>> {
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      const field = (name: string) =>
        lines.find((line) => line.startsWith(name))?.slice(name.length)
      text = text.slice(end + 2)
      const [id, data] = [field('id: '), field('data: ')]
      if (id) onId(id)
      if (data) yield JSON.parse(data)
    }
  }
}
