import { pipeline, type Readable, type Transform } from 'node:stream'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import {
  type Call,
  checkType,
  isRedirect,
  type ReplyHead,
  raceAbort,
  requestHead,
  toRefusal,
} from './call.ts'
import { createUnpack, tooLarge } from './read-body.ts'

export interface OpenReply {
  readonly url: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Iterated once. */
  readonly body: AsyncIterable<Uint8Array>
}

interface OpenNeeds {
  readonly host: Host
  readonly idleMs: number | undefined
  /** Called once, when the connection is closed. */
  end(): void
}

/** Rejects with the signal's reason once that is aborted. */
export async function openReply(outgoing: Call, needs: OpenNeeds): Promise<OpenReply> {
  const { signal, url } = outgoing
  const head = requestHead(outgoing)
  try {
    const { body, encoding, ...received } = await raceAbort(signal, head)
    const unpack = checkHead(received, outgoing.accept, encoding)
    const chunks = streamBody({ source: body, unpack }, outgoing, needs)
    return { ...received, url: url.href, body: chunks }
  } catch (error) {
    // Also closes a reply that arrives after the abort.
    head.then(({ body }) => body.destroy()).catch(() => {})
    throw signal.aborted ? signal.reason : toRefusal(error, url.origin)
  }
}

function checkHead(
  replyHead: Pick<ReplyHead, 'status' | 'headers'>,
  accept: Call['accept'],
  encoding: string | undefined,
): Transform | undefined {
  if (isRedirect(replyHead))
    throw new Refusal('unavailable', 'outbound_redirects', 'The reply is a redirect.')
  checkType(replyHead, accept)
  return createUnpack(encoding)
}

interface Body {
  readonly source: Readable
  readonly unpack: Transform | undefined
}

function streamBody(
  { source, unpack }: Body,
  { url, signal, maxBytes }: Call,
  needs: OpenNeeds,
): AsyncIterable<Uint8Array> {
  const unpacked = unpack ? pipeline(source, unpack, () => {}) : source
  const chunks: AsyncIterator<Uint8Array> = unpacked[Symbol.asyncIterator]()
  const idle = new AbortController()
  const watch = watchIdle(needs, idle)
  const either = AbortSignal.any([signal, idle.signal])
  let bytes = 0
  const close = () => {
    either.removeEventListener('abort', close)
    watch.stop()
    source.destroy()
    unpack?.destroy()
    needs.end()
  }
  either.addEventListener('abort', close)
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      either.throwIfAborted()
      const chunk = await watch.wait(raceAbort(either, chunks.next()))
      if (chunk.done) close()
      else bytes += chunk.value.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      return chunk
    } catch (error) {
      close()
      throw either.aborted ? either.reason : toRefusal(error, url.origin)
    }
  }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    close()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/** Aborts when the caller has waited too long for a chunk. One timer serves the whole body. */
function watchIdle({ host, idleMs }: OpenNeeds, idle: AbortController) {
  const stopped = new AbortController()
  const now = () => host.now().getTime()
  let waitingSince: number | undefined
  const watch = async (maxMs: number) => {
    while (!stopped.signal.aborted) {
      const waitedMs = waitingSince === undefined ? 0 : now() - waitingSince
      if (waitedMs >= maxMs) return idle.abort(silence(maxMs))
      await host.sleep(maxMs - waitedMs, stopped.signal)
    }
  }
  if (idleMs !== undefined) void watch(idleMs)
  return {
    wait: async <Chunk>(chunk: Promise<Chunk>): Promise<Chunk> => {
      waitingSince = now()
      try {
        return await chunk
      } finally {
        waitingSince = undefined
      }
    },
    stop: () => stopped.abort(),
  }
}

function silence(idleMs: number): Refusal {
  const message = `The reply was silent for ${idleMs} ms.`
  return new Refusal('unavailable', 'outbound_timeout', message, { idleMs })
}
