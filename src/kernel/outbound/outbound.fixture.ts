import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { realHost } from '../host/host.ts'
import { outboundSettings } from './config.ts'
import { createFetch } from './create-fetch.ts'
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts'

export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function outboundTo(allow: readonly string[], options: Partial<OutboundOptions> = {}) {
  const config = outboundSettings.schema.parse({ allow })
  const outbound = createOutbound({ host: realHost, config: () => config, ...options })
  onTestFinished(() => outbound.close())
  return outbound
}

export async function reach(answer: RequestListener, options: Partial<OutboundOptions> = {}) {
  const origin = await serve(answer)
  return { origin, outbound: outboundTo([origin], options) }
}

interface ClientRequest {
  readonly signal?: AbortSignal
}

export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Every way to call out; each reads the whole reply. */
export const clients = {
  fetch: async (outbound: Outbound, url: string, request: ClientRequest = {}) =>
    (await outbound.fetch(url, request)).body.toString(),
  open: async (outbound: Outbound, url: string, request: ClientRequest = {}) =>
    readText((await outbound.open(url, request)).body),
  createFetch: async (outbound: Outbound, url: string, request: ClientRequest = {}) =>
    (await createFetch({ outbound, origin: 'https://models.example' })(url, request)).text(),
}

export const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_, reply) =>
    reply.writeHead(status, { location }).end()

export const code = (word: string) => expect.objectContaining({ code: word })
