import { expect, test } from 'vitest'
import { hashBody, normalizeBody, renderArtifact } from './artifact.ts'

test('normalizes line ends', () => {
  const body = 'a\n\n b\n'

  for (const text of ['a\r\n\r\n b', 'a  \n\t\n b\n\n\n', 'a\r\r b\r']) {
    expect(normalizeBody(text)).toBe(body)
    expect(hashBody(text)).toBe(hashBody(body))
  }
})

test('writes each field as one line of JSON', () => {
  const fields = [
    ['project', 'a: "b"\n---\n# c'],
    ['session_key', null],
    ['memory_md_refs', ['x, y', "it's"]],
    ['revision', 3],
  ] as const

  const [first, ...lines] = renderArtifact(fields, 'body').split('\n')

  expect([first, ...lines.slice(4)]).toEqual(['---', '---', '', 'body', ''])
  for (const [index, [name, value]] of fields.entries()) {
    expect(lines[index]?.startsWith(`${name}: `)).toBe(true)
    expect(JSON.parse(lines[index]?.slice(name.length + 2) ?? '')).toEqual(value)
  }
})
