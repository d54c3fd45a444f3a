import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChunkBounds, chunkText, noteBounds } from './chunk-text.ts'

const small: ChunkBounds = { target: 160, max: 220, min: 40, overlap: 0, maxChunks: 5_000 }
const sentence = 'The committee approved the proposal after a long discussion. '
const keysOf = (text: string, bounds = small) =>
  chunkText(text, bounds).chunks.map(({ slug, number }) => `${slug}:${number}`)
const textsOf = (text: string, bounds = small) =>
  chunkText(text, bounds).chunks.map((chunk) => chunk.text)
const wordsOf = (text: string) => text.match(/\S+/g) ?? []

test('a text that fits is one chunk under its first heading', () => {
  const { chunks } = chunkText('# Garden\n\nTomatoes.\n\n## Tools\n\nA rake.', noteBounds)

  expect(chunks).toEqual([
    {
      text: '# Garden\n\nTomatoes.\n\n## Tools\n\nA rake.',
      headings: ['Garden'],
      slug: 'garden',
      number: 1,
      lineFrom: 1,
      lineTo: 7,
    },
  ])
})

test('a text without words has no chunk', () => {
  expect(textsOf('')).toEqual([])
  expect(textsOf(' \n\t\n ')).toEqual([])
})

test('sections are chunks with the path of their headings', () => {
  const text = `${sentence.repeat(2)}\n\n# A\n\n${sentence.repeat(2)}\n\n## B\n\n${sentence.repeat(3)}`
  const { chunks } = chunkText(text, small)

  expect(chunks.map(({ headings, lineFrom, lineTo }) => ({ headings, lineFrom, lineTo }))).toEqual([
    { headings: [], lineFrom: 1, lineTo: 1 },
    { headings: ['A'], lineFrom: 3, lineTo: 5 },
    { headings: ['A', 'B'], lineFrom: 7, lineTo: 9 },
  ])
  expect(keysOf(text)).toEqual(['overview:1', 'a:1', 'a-b:1'])
})

test('a section under the minimum joins its successor', () => {
  const text = `# Title\n\n## First\n\n${sentence.repeat(2)}\n\n## Second\n\n${sentence.repeat(2)}`

  expect(keysOf(text)).toEqual(['title-first:1', 'title-second:1'])
  expect(textsOf(text)[0]).toMatch(/^# Title\n\n## First/)
})

test('equal headings get numbered slugs in order', () => {
  const text = `# Day\n\n${sentence.repeat(2)}\n\n`.repeat(3)

  expect(keysOf(text)).toEqual(['day:1', 'day-2:1', 'day-3:1'])
})

test('a heading inside a fence is no heading, and each part repeats the info line', () => {
  const code = Array.from({ length: 20 }, (_, line) => `# comment ${line} of the script`).join('\n')
  const { chunks } = chunkText(`\`\`\`sh\n${code}\n\`\`\``, small)

  expect(chunks.length).toBeGreaterThan(2)
  for (const { text, headings } of chunks) {
    expect(text).toMatch(/^```sh\n/)
    expect(headings).toEqual([])
  }
})

test('a long table is divided between rows, and each part repeats the header', () => {
  const rows = Array.from({ length: 30 }, (_, row) => `| row ${row} | ${row * row} |`)
  const { chunks } = chunkText(['| name | value |', '|---|---|', ...rows].join('\n'), small)

  expect(chunks.length).toBeGreaterThan(2)
  for (const { text } of chunks) {
    expect(text).toMatch(/^\| name \| value \|\n\|---\|---\|\n/)
    expect(text).toMatch(/\|$/)
  }
})

test('setext headings and CRLF lines are read', () => {
  const text = `Title\r\n=====\r\n\r\n${sentence.repeat(2)}\r\n\r\nPart\r\n----\r\n\r\n${sentence.repeat(2)}`

  expect(keysOf(text)).toEqual(['title:1', 'title-part:1'])
})

test('front matter of a note is left out, and the line numbers stay', () => {
  const { chunks } = chunkText('---\ntags: [a]\n---\n\nSome words of a note.', noteBounds)

  expect(chunks).toMatchObject([{ text: 'Some words of a note.', lineFrom: 5, lineTo: 5 }])
})

test('chunks of a paged text name their page', () => {
  const { chunks } = chunkText(
    `${sentence.repeat(2)}\n\n\f\n\n${sentence.repeat(2)}\n\n\f\n\n${sentence.repeat(2)}`,
    small,
  )

  expect(chunks.map(({ page }) => page)).toEqual([1, 2, 3])
})

test('long paragraphs end at sentences and overlap', () => {
  const bounds = { ...small, target: 200, max: 200, overlap: 40 }
  const numbered = Array.from({ length: 30 }, (_, at) => `Sentence number ${at} is here.`).join(' ')
  const texts = textsOf(numbered, bounds)

  for (const text of texts) expect(text.length).toBeLessThanOrEqual(200)
  for (const text of texts.slice(0, -1)) expect(text).toMatch(/\.$/)
  for (const [at, text] of texts.slice(1).entries())
    expect(
      texts[at]?.endsWith(text.slice(0, 10).trim()) || texts[at]?.includes(text.slice(0, 10)),
    ).toBe(true)
})

test('scripts without spaces have half of the bounds', () => {
  const texts = textsOf('記憶は大切です。'.repeat(100))

  for (const text of texts) expect(text.length).toBeLessThanOrEqual(small.max / 2)
  expect(texts.join('')).toBe('記憶は大切です。'.repeat(100))
})

test('a cut divides no character of several code points', () => {
  const texts = textsOf('👩‍👩‍👧‍👦'.repeat(200))

  for (const text of texts) expect(text.replaceAll('👩‍👩‍👧‍👦', '')).toBe('')
})

test('stops at the maximum number of chunks', () => {
  const { chunks, truncated } = chunkText(sentence.repeat(1_000), { ...small, maxChunks: 5 })

  expect(chunks).toHaveLength(5)
  expect(truncated).toBe(true)
})

test('hostile texts end in linear time', () => {
  const hostile = [
    'a'.repeat(2_000_000),
    '['.repeat(1_000_000),
    '\n#'.repeat(500_000),
    '\n- x'.repeat(300_000),
    `|${'-'.repeat(100)}|\n`.repeat(10_000),
    ' '.repeat(2_000_000),
    'e\u0301'.repeat(10) + '\u0301'.repeat(500_000),
    '```\n'.repeat(200_000),
  ]
  for (const text of hostile) expect(chunkText(text, noteBounds).chunks.length).toBeLessThan(5_001)
})

const word = fc.stringMatching(/^[a-zA-Z0-9äß猫語]{1,12}$/)
const line = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' ')),
  fc.constantFrom(
    '',
    '',
    '# One',
    '## Two',
    '- item',
    '> quote',
    '```',
    '| a | b |',
    '|---|---|',
    '---',
  ),
)
const markdown = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'))

test('no word is lost or invented, and the bounds hold', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const { chunks } = chunkText(text, small)
      const words = new Set(wordsOf(text))
      const chunked = new Set(chunks.flatMap((chunk) => wordsOf(chunk.text)))
      // A word longer than a chunk would be divided; these are not.
      expect(chunked).toEqual(words)
      for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(small.max)
      const keys = chunks.map(({ slug, number }) => `${slug}:${number}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 300 },
  )
})

test('an edit of one section changes the chunks of no other section', () => {
  const body = fc.array(word, { minLength: 20, maxLength: 120 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(body, { minLength: 5, maxLength: 12 }), body, (bodies, edit) => {
      const toText = (parts: readonly string[]) =>
        parts.map((part, at) => `## Section ${at}\n\n${part}\n`).join('\n')
      const rowsOf = (parts: readonly string[]) =>
        chunkText(toText(parts), small)
          .chunks.filter(({ headings }) => headings[0] !== 'Section 2')
          .map(({ slug, number, text }) => ({ slug, number, text }))
      const edited = bodies.map((part, at) => (at === 2 ? edit : part))

      expect(rowsOf(edited)).toEqual(rowsOf(bodies))
    }),
    { numRuns: 100 },
  )
})
