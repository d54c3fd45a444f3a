import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { createTaskThread } from '../threads/task-thread.ts'
import { assertNotEncoded } from './byte-body.ts'
import type { Route } from './route.ts'
import * as jsonWorker from './threads/json-worker.ts'

/**
 * In bytes. Only operations with a higher limit accept more; such bodies are parsed in a thread.
 */
const maxInlineBytes = 1_048_576
const idleTimeoutMs = 30_000
const timeoutMs = 60_000
/** Each waiting body may contain megabytes. */
const maxWaiting = 16

export interface BodyReader {
  read(request: FastifyRequest, bytes: Buffer): Promise<unknown>
  close(): Promise<void>
}

/** Most operations require an object and define the error for any other body. */
export function createBodyReader(host: Host): BodyReader {
  const thread = createTaskThread<typeof jsonWorker>({
    host,
    idleTimeoutMs,
    maxWaiting,
    from: import.meta.url,
    module: './threads/json-worker',
  })
  return {
    read: async (request, bytes) => {
      assertNotEncoded(request)
      if (bytes.length === 0) return undefined
      const { route } = request.routeOptions.config
      const isLong = bytes.length > maxInlineBytes
      const parsed = isLong ? thread.run('parseApart', bytes, timeoutMs) : jsonWorker.parse(bytes)
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

function toValue({ value, prototypeKey }: jsonWorker.ParsedBody): unknown {
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
