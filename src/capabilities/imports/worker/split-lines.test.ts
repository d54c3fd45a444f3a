import fc from 'fast-check'
import { expect, test } from 'vitest'
import { releaseBytes } from '../../../kernel/threads/release-memory.ts'
import { LineSplitter } from './split-lines.ts'

function split(text: Buffer, sizes: readonly number[], maxBytes = 1000) {
  const splitter = new LineSplitter(maxBytes)
  const lines = []
  let at = 0
  for (let index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? text.length
    lines.push(...splitter.push(text.subarray(at, at + size)))
    at += size
  }
  lines.push(...splitter.end())
  return { lines, position: splitter.position }
}

const texts = fc.array(fc.constantFrom('a', '\n', ' ', '\r', '\t', 'é', '{"x":1}'), {
  maxLength: 60,
})

test('any chunks of the same bytes give the same lines', () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (parts, sizes) => {
        const text = Buffer.from(parts.join(''))
        expect(split(text, sizes)).toEqual(split(text, [text.length || 1]))
      },
    ),
  )
})

test('a line is where its offset and length say, and a later start finds the rest', () => {
  fc.assert(
    fc.property(texts, (parts) => {
      const text = Buffer.from(parts.join(''))
      const { lines } = split(text, [7])
      const expected = parts
        .join('')
        .split('\n')
        .filter((line) => line.trim() !== '')
      expect(lines.map(({ bytes }) => bytes?.toString())).toEqual(expected)
      for (const [index, line] of lines.entries()) {
        const { byteOffset, byteLength, lineNumber, ordinal, bytes } = line
        expect(text.subarray(byteOffset, byteOffset + byteLength)).toEqual(bytes)
        expect(ordinal).toBe(index)
        const next = byteOffset + byteLength + 1
        const rest = new LineSplitter(1000, { byteOffset: next, lineNumber, ordinal: ordinal + 1 })
        const after = [...rest.push(text.subarray(next)), ...rest.end()]
        expect(after).toEqual(lines.slice(index + 1))
      }
    }),
  )
})

test('a line above the limit has no bytes but its length', () => {
  const { lines } = split(Buffer.from('abcdef\nabc\nabcd'), [2], 3)

  expect(lines.map(({ bytes, byteLength }) => [bytes?.toString(), byteLength])).toEqual([
    [undefined, 6],
    ['abc', 3],
    [undefined, 4],
  ])
})

test('a chunk may be released after its lines were read', () => {
  const splitter = new LineSplitter(1000)
  const chunks = ['{"a":1}\n{"b"', ':', '2}\n'].map((text) => Uint8Array.from(Buffer.from(text)))
  const lines = chunks.flatMap((chunk) => {
    const some = [...splitter.push(Buffer.from(chunk.buffer))]
    releaseBytes(chunk)
    return some
  })

  expect(lines.map(({ bytes }) => String(bytes))).toEqual(['{"a":1}', '{"b":2}'])
})

test('a line of 16 MiB is whole, one byte more is not', () => {
  const maxBytes = 16_777_216
  const text = Buffer.concat([
    Buffer.alloc(maxBytes, 'a'),
    Buffer.from('\n'),
    Buffer.alloc(maxBytes + 1, 'b'),
  ])
  const { lines } = split(text, [65_536], maxBytes)

  expect(lines.map(({ bytes }) => bytes?.length)).toEqual([maxBytes, undefined])
})
