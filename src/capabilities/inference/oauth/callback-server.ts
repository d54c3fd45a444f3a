import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LoginError } from './login.ts'

export interface CallbackServer {
  /** The address of the listener, without a path. */
  readonly origin: string
  /** The parameters of the first request that `accepts` takes. */
  readonly params: Promise<URLSearchParams>
  close(): void
}

interface CallbackOptions {
  /** Tried in order; 0 is any free port. */
  readonly ports: readonly number[]
  readonly path: string
  /** Usually compares `state`. */
  accepts(params: URLSearchParams): boolean
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
}

/** Listens on this machine for the redirect of one login. */
export async function startCallbackServer(options: CallbackOptions): Promise<CallbackServer> {
  const { promise: params, resolve } = Promise.withResolvers<URLSearchParams>()
  let isUsed = false
  const server = createServer((request, response) => {
    const received = isUsed ? undefined : readParams(request, server.address(), options)
    isUsed ||= received !== undefined
    answer(response, received !== undefined)
    if (received) resolve(received)
  })
  server.unref()
  await listen(server, options.ports)
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    params,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(
  server: ReturnType<typeof createServer>,
  ports: readonly number[],
): Promise<void> {
  for (const port of ports) {
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return
    } catch {
      // The next port may be free.
    }
  }
  throw new LoginError(`Port ${ports.join(' and port ')} for the callback is in use.`)
}

/** A page on another site could otherwise use a name that resolves to this machine. */
function readParams(
  { method, url = '/', headers: requestHeaders }: IncomingMessage,
  address: ReturnType<ReturnType<typeof createServer>['address']>,
  { path, accepts }: CallbackOptions,
): URLSearchParams | undefined {
  const { port } = address as AddressInfo
  const isOwnHost = [`127.0.0.1:${port}`, `localhost:${port}`].includes(requestHeaders.host ?? '')
  const target = URL.parse(url, 'http://127.0.0.1')
  const isExpected = method === 'GET' && isOwnHost && target?.pathname === path
  return isExpected && accepts(target.searchParams) ? target.searchParams : undefined
}

function answer(response: ServerResponse, isAccepted: boolean): void {
  const text = isAccepted
    ? 'The login continues in Reverie. You can close this page.'
    : 'This page belongs to no login in progress.'
  response.writeHead(isAccepted ? 200 : 400, headers)
  response.end(`<!doctype html><title>Reverie</title><p>${text}</p>`)
}
