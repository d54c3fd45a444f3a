import { type Call, Reply, type Route, route } from '../../kernel/http/route.ts'
import { Stream } from '../../kernel/http/stream.ts'
import { busy, errorReplies, message, readAccepted, toError, unacceptable } from './replies.ts'
import { createSemaphore } from './semaphore.ts'
import type { ServerNeeds } from './server.ts'

const maxBytes = 512 * 1024
const maxConcurrentCalls = 8
const maxStreams = 64

/** The routes at which tools are listed and called. */
export function createMcp(needs: ServerNeeds): { readonly routes: readonly Route[] } {
  const loaded: { protocol?: Promise<Protocol> } = {}
  const calls = createSemaphore(maxConcurrentCalls)
  const streams = createSemaphore(maxStreams)

  const answerWithProtocol: Protocol['answer'] = async (call, accepted) => {
    loaded.protocol ??= loadProtocol(needs)
    return (await loaded.protocol).answer(call, accepted)
  }
  const answer = async (call: Call<unknown, unknown, unknown>) => {
    const accepted = readAccepted(call.headers['accept'])
    if (!accepted.json && !accepted.events)
      return unacceptable('application/json or text/event-stream')
    if (call.body === undefined)
      return new Reply(400, toError('unreadable', 'Parse error: no body'))
    const release = calls.tryAcquire()
    if (!release) return busy()
    const reply = await answerWithProtocol(call, accepted).finally(release)
    return reply instanceof Stream ? (streams.holdFor(reply) ?? busy()) : reply
  }

  const shared = { path: '/mcp', permission: 'authenticated' } as const
  return {
    routes: [
      route({
        ...shared,
        name: 'mcp.call',
        method: 'POST',
        summary:
          'Send a message of the Model Context Protocol; each tool needs the permission of its route.',
        bodyLimit: maxBytes,
        rawJson: {
          unreadable: toError('unreadable', 'Parse error: the body is not JSON'),
          tooLarge: toError('refused', `The body exceeds ${maxBytes} bytes.`),
          described: message,
        },
        otherReplies: errorReplies,
        handle: answer,
      }),
      route({
        ...shared,
        name: 'mcp.listen',
        method: 'GET',
        summary: 'Open a stream of server messages; it is empty at present.',
        otherReplies: errorReplies,
        handle: async ({ headers }) =>
          readAccepted(headers['accept']).events
            ? (streams.holdFor(createEmptyStream()) ?? busy())
            : unacceptable('text/event-stream'),
      }),
      route({
        ...shared,
        name: 'mcp.end',
        method: 'DELETE',
        summary: 'End a session; has no effect, because there are no sessions.',
        handle: async () => new Reply(200, ''),
      }),
    ],
  }
}

function createEmptyStream(): Stream {
  const next = () => new Promise<never>(() => undefined)
  const chunks = { [Symbol.asyncIterator]: () => ({ next }) }
  return new Stream({ contentType: 'text/event-stream; charset=utf-8', chunks })
}

type Protocol = Awaited<ReturnType<typeof loadProtocol>>

/** The protocol library takes 100 ms to load, so the first call loads it. */
async function loadProtocol(needs: ServerNeeds) {
  const [{ answerMessages }, { createServerMaker }] = await Promise.all([
    import('./answer-messages.ts'),
    import('./server.ts'),
  ])
  const makeServer = createServerMaker(needs)
  return {
    answer: (
      call: Parameters<typeof answerMessages>[1],
      accepted: Parameters<typeof answerMessages>[2],
    ) => answerMessages({ ...needs, makeServer }, call, accepted),
  }
}
