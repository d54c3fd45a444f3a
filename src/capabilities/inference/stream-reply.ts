import { type Stream, toServerSentEvents } from '../../kernel/http/stream.ts'
import type { ModelStream, ModelStreamEvent } from './run/stream.ts'

/** One named event for each part; exactly one of `done`, `cancelled` and `error` is the last. */
export function toEventStream({ requestId, decision, events }: ModelStream): Stream {
  const named = (event: string, data: object) => ({ event, data: { requestId, ...data } })
  return toServerSentEvents(toNamed(events, named, decision), {
    keepalive: named('keepalive', { keepalive: true }),
    headers: { 'cache-control': 'no-cache', 'x-svc-request-id': requestId },
  })
}

type Named = (event: string, data: object) => { readonly event: string; readonly data: object }

/** Not a generator: closing it must reach the stream while a part is awaited. */
function toNamed(
  events: AsyncIterable<ModelStreamEvent>,
  named: Named,
  decision: object,
): AsyncIterable<ReturnType<Named>> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = events[Symbol.asyncIterator]()
      const pending = [named('meta', { decision })]
      const next = async (): Promise<IteratorResult<ReturnType<Named>>> => {
        const first = pending.shift()
        if (first) return { done: false, value: first }
        const { done, value } = await source.next()
        if (done) return { done: true, value: undefined }
        const { type, ...data } = value
        // The native interface has no tools.
        return type === 'tool-call-delta' ? await next() : { done: false, value: named(type, data) }
      }
      const close = async () => {
        await source.return?.()
        return { done: true, value: undefined } as const
      }
      return { next, return: close }
    },
  }
}
