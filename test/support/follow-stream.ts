import { createParser } from 'eventsource-parser'
import { onTestFinished } from 'vitest'
import type { Ask, Service } from './start-service.ts'

export interface Followed {
  readonly status: number
  /** The next event; rejects when the stream has ended. */
  next(): Promise<Readonly<Record<string, unknown>>>
  /** The next event of this type. Earlier ones are dropped. */
  nextOf(type: string): Promise<Readonly<Record<string, unknown>>>
  /** Resolves when the daemon has ended the stream. */
  readonly ended: Promise<void>
  lastId(): string
  end(): void
}

/** Follows a stream of server-sent events until the end of the test. */
export async function followStream(
  service: Pick<Service, 'url' | 'tokenFor'>,
  path: string,
  { agent = 'ada', headers = {}, permissions, role = 'operator', scope }: Ask = {},
): Promise<Followed> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const token = service.tokenFor(role === 'anonymous' ? 'readonly' : role, scope, permissions)
  const authorization = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${service.url}${path}`, {
    headers: { ...authorization, 'x-svc-agent-id': agent, ...headers },
    signal: leaving.signal,
  })
  const received: Readonly<Record<string, unknown>>[] = []
  const state = { id: '', wake: Promise.withResolvers<void>(), isOver: false }
  const wake = () => {
    state.wake.resolve()
    state.wake = Promise.withResolvers()
  }
  const parser = createParser({
    onEvent: ({ id = '', data }) => {
      if (id !== '') state.id = id
      received.push(JSON.parse(data))
      wake()
    },
  })
  const ended = read(reply, (text) => parser.feed(text)).finally(() => {
    state.isOver = true
    wake()
  })
  const next = async () => {
    while (received.length === 0) {
      if (state.isOver) throw new Error('The stream has ended.')
      await state.wake.promise
    }
    return received.shift() ?? {}
  }
  return {
    status: reply.status,
    next,
    nextOf: async (type) => {
      for (;;) {
        const event = await next()
        if (event['type'] === type) return event
      }
    },
    ended,
    lastId: () => state.id,
    end: () => leaving.abort(),
  }
}

async function read({ body }: Response, onText: (text: string) => void): Promise<void> {
  try {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) onText(text)
  } catch {
    // The test has left, or the daemon was killed.
  }
}
