import { type Call, Reply, type Route, route } from '../../kernel/http/route.ts'
import { Stream } from '../../kernel/http/stream.ts'
import { readAccepted } from './accepted.ts'
import { loadProtocol, type Protocol } from './load-protocol.ts'
import { createPlaces } from './places.ts'
import { busy, errorReplies, message, toError, unacceptable } from './replies.ts'
import type { ServerNeeds } from './server.ts'

const mostBytes = 512 * 1024
const mostCalls = 8
const mostStreams = 64

/** The routes at which tools are listed and called. */
export function createMcp(needs: ServerNeeds): { readonly routes: readonly Route[] } {
  const loaded: { protocol?: Promise<Protocol> } = {}
  const calls = createPlaces(mostCalls)
  const streams = createPlaces(mostStreams)

  const speak: Protocol['answer'] = async (call, accepted) => {
    loaded.protocol ??= loadProtocol(needs)
    return (await loaded.protocol).answer(call, accepted)
  }
  const answer = async (call: Call<unknown, unknown, unknown>) => {
    const accepted = readAccepted(call.headers['accept'])
    if (!accepted.json && !accepted.events)
      return unacceptable('application/json or text/event-stream')
    if (call.body === undefined)
      return new Reply(400, toError('unreadable', 'Parse error: no body'))
    const leave = calls.take()
    if (!leave) return busy()
    const reply = await speak(call, accepted).finally(leave)
    return reply instanceof Stream ? (streams.hold(reply) ?? busy()) : reply
  }

  const shared = { path: '/mcp', permission: 'authenticated' } as const
  return {
    routes: [
      route({
        ...{ ...shared, name: 'mcp.call', method: 'POST' },
        summary:
          'Messages of the Model Context Protocol; a tool needs the permission of its route.',
        bodyLimit: mostBytes,
        rawJson: {
          unreadable: toError('unreadable', 'Parse error: the body is no JSON'),
          tooLarge: toError('refused', `The body passes ${mostBytes} bytes.`),
          described: message,
        },
        otherReplies: errorReplies,
        handle: answer,
      }),
      route({
        ...{ ...shared, name: 'mcp.listen', method: 'GET' },
        summary: 'A stream of what the service has to tell by itself, which is nothing yet.',
        otherReplies: errorReplies,
        handle: async ({ headers }) =>
          readAccepted(headers['accept']).events
            ? (streams.hold(createSilence()) ?? busy())
            : unacceptable('text/event-stream'),
      }),
      route({
        ...{ ...shared, name: 'mcp.end', method: 'DELETE' },
        summary: 'Ends a session, of which there are none.',
        handle: async () => new Reply(200, ''),
      }),
    ],
  }
}

function createSilence(): Stream {
  const next = () => new Promise<never>(() => undefined)
  const pieces = { [Symbol.asyncIterator]: () => ({ next }) }
  return new Stream({ contentType: 'text/event-stream; charset=utf-8', pieces })
}
