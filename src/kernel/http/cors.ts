import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from './loopback.ts'

const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, last-event-id, x-svc-agent-id, x-svc-session-key, x-svc-session-id, x-svc-request-id, x-svc-actor, x-svc-actor-type, x-svc-reason',
  /** Seconds. */
  'access-control-max-age': '600',
}
const exposedHeaders =
  'retry-after, x-should-retry, x-svc-request-id, x-svc-operation-degraded, x-svc-operation-degradation-cause, x-svc-operation-skipped'

/** Lets pages on this machine read replies from another port. Other origins get no headers. */
export function corsHeaders({ origin }: IncomingHttpHeaders): Readonly<Record<string, string>> {
  if (origin === undefined || !isLoopback(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    vary: 'origin',
  }
}

/** Returns the headers of a CORS preflight reply; undefined for any other request. */
export function findPreflight(
  method: string,
  headers: IncomingHttpHeaders,
): Readonly<Record<string, string>> | undefined {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  return isPreflight && headers.origin !== undefined && isLoopback(headers.origin)
    ? allowed
    : undefined
}
