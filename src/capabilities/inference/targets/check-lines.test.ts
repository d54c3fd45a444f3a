import { expect, test } from 'vitest'
import { checkLines } from './check-lines.ts'

async function readThrough(text: string): Promise<string> {
  return await new Response(checkLines(new Blob([text]).stream())).text()
}

/** Each chunk arrives alone. */
async function readChunks(chunks: readonly Uint8Array[]): Promise<string> {
  return await new Response(checkLines(ReadableStream.from(chunks))).text()
}

test('lines of JSON pass, and lines of spaces are removed', async () => {
  expect(await readThrough('{"a":1}\n \n\n{"b":2}')).toBe('{"a":1}\n{"b":2}\n')
})

test('a line and a character may be divided between chunks', async () => {
  const bytes = new TextEncoder().encode('{"a":"é"}\n{"b":2}\n')
  const chunks = [...bytes].map((byte) => Uint8Array.of(byte))

  expect(await readChunks(chunks)).toBe('{"a":"é"}\n{"b":2}\n')
})

test.each([
  ['a line that is not JSON', '{"a":1}\nnonsense\n'],
  ['an incomplete last line', '{"a":1}\n{"b":'],
  [
    'arguments that are no JSON',
    '{"message":{"tool_calls":[{"function":{"name":"read","arguments":"{nonsense"}}]}}\n',
  ],
])('%s ends the body', async (_, text) => {
  await expect(readThrough(text)).rejects.toThrow()
})

test('arguments that are JSON in a text pass', async () => {
  const text = '{"message":{"tool_calls":[{"function":{"name":"read","arguments":"{}"}}]}}\n'
  expect(await readThrough(text)).toBe(text)
})
