import { createParser } from 'eventsource-parser'
import { type Input, openStream } from './api.ts'

interface StreamRequest {
  readonly route: string
  readonly input: Input
}

/** Reads the events of a stream until it ends. */
export async function readStream(
  { route, input }: StreamRequest,
  onData: (data: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await openStream(route, input, signal)
  if (!body) throw new Error(`${route} replied without a body.`)
  const parser = createParser({ onEvent: ({ data }) => onData(data) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(decoder.decode(value, { stream: true }))
  }
}
