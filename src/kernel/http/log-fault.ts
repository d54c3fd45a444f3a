import type { FastifyRequest } from 'fastify'

/** Once for each: whoever was told the id of the request finds here what the reply did not say. */
export function logFault({ id, method, url, log }: FastifyRequest, error: unknown): void {
  log.error({ reqId: id, err: error, during: `${method} ${url}` }, 'fault')
}
