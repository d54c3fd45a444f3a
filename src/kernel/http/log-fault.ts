import type { FastifyRequest } from 'fastify'

/** Logs a fault under the request id that the reply contains. */
export function logFault({ id, method, url, log }: FastifyRequest, error: unknown): void {
  log.error({ reqId: id, err: error, during: `${method} ${url}` }, 'fault')
}
