import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { realHost } from '../../../kernel/host/host.ts'
import { outboundSettings } from '../../../kernel/outbound/config.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'

export interface ProviderRequest {
  readonly path: string
  readonly key: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export type Reply = (
  request: ProviderRequest,
) => { readonly status?: number; readonly body: unknown } | 'never'

/** A vector of three numbers that depends on the text. */
export function numbersOf(text: string): number[] {
  return [text.length, text.charCodeAt(0) || 1, text.charCodeAt(text.length - 1) || 1]
}

/** Starts a model server and an outbound client; both close with the test. */
export async function startProvider(reply: Reply) {
  const requests: ProviderRequest[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { authorization: key } = request.headers
      const one = { path: request.url ?? '', key, body }
      requests.push(one)
      const answer = reply(one)
      if (answer === 'never') return
      response.statusCode = answer.status ?? 200
      response.setHeader('content-type', 'application/json')
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = outboundSettings.schema.parse({ allow: [url] })
  const outbound = createOutbound({ host: realHost, config: () => config })
  onTestFinished(async () => {
    await outbound.close()
    server.closeAllConnections()
    server.close()
  })
  return { url, outbound, requests }
}

async function readBody(request: IncomingMessage): Promise<ProviderRequest['body']> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}
