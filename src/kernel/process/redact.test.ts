import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStreamRedactor } from './redact.ts'

function redact(secrets: readonly string[], output: Buffer | string, chunkBytes = 7): string {
  const bytes = Buffer.from(output)
  const redactor = createStreamRedactor(secrets)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parts.push(redactor.push(bytes.subarray(at, at + chunkBytes)))
  return Buffer.concat([...parts, redactor.end()]).toString('latin1')
}

const wrap = (text: string, width: number, separator = '\n') =>
  text.match(new RegExp(`.{1,${width}}`, 'gs'))?.join(separator) ?? ''
const encodings: Readonly<Record<string, (bytes: Buffer) => string>> = {
  plain: (bytes) => bytes.toString('utf8'),
  json: (bytes) => JSON.stringify(bytes.toString('utf8')),
  percent: (bytes) => encodeURIComponent(bytes.toString('utf8')),
  hex: (bytes) => bytes.toString('hex'),
  'upper hex': (bytes) => bytes.toString('hex').toUpperCase(),
  'wrapped hex': (bytes) => wrap(bytes.toString('hex'), 60),
  'spaced hex': (bytes) => wrap(bytes.toString('hex'), 2, ' '),
  base64: (bytes) => bytes.toString('base64'),
  base64url: (bytes) => bytes.toString('base64url'),
  'wrapped base64': (bytes) => wrap(bytes.toString('base64'), 76),
  'narrow base64': (bytes) => wrap(bytes.toString('base64'), 10, '\r\n  '),
}

test.each(Object.keys(encodings))('a key in the encoding %s is replaced', (name) => {
  const value = 'hunter2/hunter2 "é"+~'
  const shown = redact([value], `before ${encodings[name]?.(Buffer.from(value))} after`)

  expect(shown).toMatch(/^before "?\[REDACTED\]=*"? after$/)
})

test('what `echo "$KEY" | base64` prints is replaced, at each alignment', () => {
  const value = ['synthetic', 'key', '4711'].join('-')
  for (const before of ['', 'u', 'u:', 'usr:', 'user:']) {
    const shown = redact([value], Buffer.from(`${before}${value}\n`).toString('base64'))

    expect(shown, before).toContain('[REDACTED]')
    expect(shown.length, before).toBeLessThan('[REDACTED]'.length + 14)
  }
})

test('overlapping, adjacent, repeated and nested secrets leave no rest', () => {
  expect(redact(['abcdef', 'defghi'], 'xabcdefghix')).toBe('x[REDACTED]x')
  expect(redact(['abcdef'], `x${'abcdef'.repeat(500)}x`)).toBe('x[REDACTED]x')
  expect(redact(['abcd', 'abcdefgh'], 'abcdefgh abcd')).toBe('[REDACTED] [REDACTED]')
})

test('each line of a value with several lines is a secret, and a long value has no gaps', () => {
  const lines = ['first-line-of-key', 'second-line-of-key', 'end'].join('\n')
  const long = Array.from({ length: 700 }, (_, index) => `part${index}`).join('.')

  expect(redact([lines], 'a second-line-of-key b')).toBe('a [REDACTED] b')
  expect(redact([lines], 'an end')).toBe('an end')
  expect(redact([long], `<${long}>`)).toBe('<[REDACTED]>')
  expect(redact([long], `<${Buffer.from(long).toString('base64')}>`)).toBe('<[REDACTED]>')
})

test('UTF-16 is replaced, short values and other text are not', () => {
  expect(redact(['synthetic'], Buffer.from('synthetic', 'utf16le'))).toBe('[REDACTED]')
  expect(redact(['abc'], 'abc abc')).toBe('abc abc')
  expect(redact([], 'any text')).toBe('any text')
  expect(redact(['synthetic'], 'syntheti c é')).toBe(Buffer.from('syntheti c é').toString('latin1'))
})

test('no six letters of a secret survive, in any encoding, surroundings and chunks', () => {
  const texts = fc.string({ minLength: 6, maxLength: 300, unit: 'grapheme' })
  const around = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
  const names = Object.keys(encodings)
  fc.assert(
    fc.property(
      fc.record({
        value: texts.filter((value) => value.trim().length >= 6 && !/\s/.test(value)),
        before: around,
        after: around,
        name: fc.constantFrom(...names),
        inside: fc.boolean(),
        chunk: fc.integer({ min: 1, max: 400 }),
      }),
      ({ value, before, after, name, inside, chunk }) => {
        const encode = encodings[name] ?? String
        const bytes = Buffer.from(value)
        // The secret within a larger encoded text, or encoded alone between other bytes.
        const output = inside
          ? Buffer.from(encode(Buffer.concat([Buffer.from('user:'), bytes, Buffer.from('\n')])))
          : Buffer.concat([before, Buffer.from(encode(bytes)), after])
        const shown = redact([value], output, chunk)
        const whole = encode(bytes).replaceAll(/\s/g, '')
        const core = Buffer.from(whole.slice(3, -3)).toString('latin1')

        expect(shown).toContain('[REDACTED]')
        if (core.length >= 6 && !/base64/.test(name))
          expect(shown.replaceAll(/\s/g, '')).not.toContain(core)
        expect(shown.replaceAll('[REDACTED]', '').length).toBeLessThanOrEqual(
          inside ? 24 : before.length + after.length + 8,
        )
      },
    ),
  )
})

test('an output that repeats the beginning of a secret is read in linear time', () => {
  const secrets = Array.from({ length: 16 }, (_, index) => `${'a'.repeat(4_000)}${index}b`)

  expect(redact(secrets, 'a'.repeat(100_000), 65_536)).toContain('[REDACTED]')
}, 20_000)
