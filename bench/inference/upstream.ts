// A fake provider in a process of its own. Prints its port.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

interface ChatRequest {
  /** `<chunks>x<ms>`: the chunks of a stream, and the pause before each. */
  readonly model: string
  readonly stream?: boolean
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

const server = createServer((request, response) => {
  void json(request).then((body) => {
    const { model, stream } = body as ChatRequest
    const [chunks = 1, pauseMs = 0] = model.split('x').map(Number)
    return stream ? sendStream(response, chunks, pauseMs) : sendWhole(response)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})

function sendWhole(response: ServerResponse): void {
  const message = { role: 'assistant', content: 'A short reply.' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices, usage }))
}

async function sendStream(response: ServerResponse, chunks: number, pauseMs: number) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let number = 0; number < chunks && !response.destroyed; number++) {
    if (pauseMs > 0) await pause(pauseMs)
    const choices = [{ index: 0, delta: { content: 'word ' }, finish_reason: null }]
    const isFull = !response.write(toFrame({ choices }))
    if (isFull) await new Promise((resolve) => response.once('drain', resolve))
  }
  const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }]
  response.end(`${toFrame({ choices, usage })}data: [DONE]\n\n`)
}

function toFrame(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...chunk })}\n\n`
}
