import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelServer {
  readonly url: string
  /** Sets the replies from now on: vectors, an error, or no answer. */
  behave(how: 'well' | 'badly' | 'silently'): void
  stop(): Promise<void>
}

/**
 * A local embeddings server; a vector holds the length and the first and last characters of the
 * text.
 */
export async function startModelServer(): Promise<ModelServer> {
  let behaviour = 'well'
  const server = createServer((request, response) => {
    void readTexts(request).then((texts) => {
      if (behaviour === 'silently') return
      response.statusCode = behaviour === 'well' ? 200 : 500
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ embeddings: texts.map(numbersOf) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (how) => {
      behaviour = how
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function numbersOf(text: string): number[] {
  return [text.length, text.charCodeAt(0) || 1, text.charCodeAt(text.length - 1) || 1]
}

async function readTexts(request: IncomingMessage): Promise<readonly string[]> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString()).input
}
