/**
 * Fails the body at the first line that is not JSON. The client library would print the line to the
 * console and continue. It also prints lines of spaces, which are removed.
 */
export function checkLines(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  const send = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const values = lines.filter((line) => line.trim() !== '')
    values.forEach(assertLine)
    if (values.length > 0) controller.enqueue(encoder.encode(`${values.join('\n')}\n`))
  }
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => send(decoder.decode(chunk, { stream: true }), controller),
    flush: (controller) => send(`${decoder.decode()}\n`, controller),
  })
  return body.pipeThrough(transform)
}

interface Line {
  readonly message?: { readonly tool_calls?: readonly Partial<ToolCall>[] }
}

interface ToolCall {
  readonly function: { readonly arguments?: unknown }
}

/** The library also prints arguments that are a text without JSON in it. */
function assertLine(line: string): void {
  const value: Line | null = JSON.parse(line)
  for (const call of value?.message?.tool_calls ?? []) {
    const text = call.function?.arguments
    if (typeof text === 'string') JSON.parse(text)
  }
}
