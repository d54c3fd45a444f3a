import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { createTaskThread } from '../threads/task-thread.ts'
import type { Route } from './route.ts'
import * as here from './threads/json-worker.ts'

/** Bytes. Only operations that say so take more; to parse it would hold the event loop. */
const maxInlineBytes = 1_048_576
const restMs = 30_000
const timeoutMs = 60_000
/** Each may be megabytes. */
const maxWaiting = 16

export interface BodyReader {
  read(request: FastifyRequest, bytes: Buffer): Promise<unknown>
  close(): Promise<void>
}

/** Nearly every body is an object; one that is not is refused in the words of the operation. */
export function createBodyReader(host: Host): BodyReader {
  const thread = createTaskThread<typeof here>({
    host,
    restMs,
    maxWaiting,
    from: import.meta.url,
    module: './threads/json-worker',
  })
  return {
    read: async (request, bytes) => {
      if (bytes.length === 0) return undefined
      const { route } = request.routeOptions.config
      const isLong = bytes.length > maxInlineBytes
      const parsed = isLong ? thread.run('parseApart', bytes, timeoutMs) : here.parse(bytes)
      const read = toValue(await parsed)
      if (route?.rawJson ? read !== undefined : isObject(read)) return read
      if (route?.onInvalidBody === 'empty') return {}
      throw new Refusal(
        'invalid',
        'invalid_json',
        route?.onInvalidBody?.error ?? 'Invalid JSON body',
      )
    },
    close: () => thread.close(),
  }
}

function toValue({ value, prototypeKey }: here.ParsedBody): unknown {
  if (prototypeKey === undefined) return value
  throw new Refusal('invalid', 'invalid_key', `The body must not contain ${prototypeKey}.`)
}

function isObject(read: unknown): boolean {
  return typeof read === 'object' && read !== null && !Array.isArray(read)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route
  }
}
