import type { FastifyRequest } from 'fastify'

/** Logs a fault with the request id of the reply. */
export function logFault({ id, method, url, log }: FastifyRequest, error: unknown): void {
  log.error({ reqId: id, err: error, during: `${method} ${url}` }, 'fault')
}
