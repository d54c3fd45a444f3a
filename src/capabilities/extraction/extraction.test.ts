import { afterAll, expect, test } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { createExtraction, type FileInput, noteBounds } from './index.ts'

const { extractor, health, stop } = createExtraction({
  host: realHost,
  children: noChildLedger,
  log: createLog('silent'),
})
afterAll(stop)

const extract = (fileName: string, content: string | Uint8Array, more: Partial<FileInput> = {}) =>
  extractor.extract({
    fileName,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    ...more,
  })

test('reads Markdown with its title', async () => {
  expect(await extract('note.md', '# Garden #\n\nTomatoes.')).toEqual({
    status: 'extracted',
    format: 'markdown',
    text: '# Garden #\n\nTomatoes.',
    title: 'Garden',
    warnings: [],
  })
})

test('reads texts in UTF-8, UTF-16 and windows-1252', async () => {
  expect(await extract('a.txt', 'naïve')).toMatchObject({ text: 'naïve', warnings: [] })
  const utf16 = new Uint8Array(Buffer.from('\ufeffnaïve', 'utf16le'))
  expect(await extract('a.txt', utf16)).toMatchObject({ text: 'naïve', warnings: [] })
  expect(await extract('a.txt', Uint8Array.of(0x6e, 0x61, 0xef, 0x76, 0x65))).toMatchObject({
    text: 'naïve',
    warnings: ['encoding_guessed'],
  })
})

test('removes NUL and lone surrogates', async () => {
  const words = 'many words before and after '
  expect(await extract('a.txt', `${words}\0${words}`)).toMatchObject({ text: `${words}${words}` })
  const surrogate = Buffer.from('\ufeffab\ud800cd', 'utf16le')
  expect(await extract('a.txt', new Uint8Array(surrogate))).toMatchObject({
    text: expect.stringMatching(/^ab\ufffd?cd$/),
  })
})

test('reads JSON as a line per value, and the document itself', async () => {
  const { text, canonical } = (await extract(
    'a.json',
    '{"name":"Ada","born":{"year":1815},"works":["notes",null]}',
  )) as { text: string; canonical: string }

  expect(text).toBe('name: Ada\nborn.year: 1815\nworks[0]: notes\nworks[1]: null')
  expect(JSON.parse(canonical)).toEqual({
    name: 'Ada',
    born: { year: 1815 },
    works: ['notes', null],
  })
  expect(await extract('a.jsonl', '{"a":1}\n{"a":2}\n')).toMatchObject({
    text: '[0].a: 1\n[1].a: 2',
  })
})

test('reads CSV with any separator as a table', async () => {
  const table = '| name | note |\n|---|---|\n| Ada | a, "b" \\| c |'

  expect(await extract('a.csv', 'name,note\nAda,"a, ""b"" | c"\n')).toMatchObject({ text: table })
  expect(await extract('a.csv', 'name;note\nAda;"a, ""b"" | c"\n')).toMatchObject({ text: table })
})

test('reads HTML as Markdown without scripts, styles and navigation', async () => {
  const paragraph = '<p>The committee approved the <b>proposal</b> after a long discussion.</p>'
  const page = `<html><head><title>Minutes &amp; more</title><style>p{}</style></head><body>
    <nav><a href="/">Home</a></nav><article><h1>Minutes</h1>${paragraph.repeat(10)}
    <table><tr><th>a</th></tr><tr><td>1</td></tr></table></article>
    <script>alert(1)</script></body></html>`
  const whole = await extract('a.html', page)
  const main = await extract('a.html', page, { isWebPage: true })

  expect(whole).toMatchObject({ format: 'html', title: 'Minutes & more' })
  expect(whole).toMatchObject({ text: expect.stringContaining('**proposal**') })
  expect(whole).toMatchObject({ text: expect.stringMatching(/\| a {3}\|\n\| --- \|\n\| 1 {3}\|/) })
  expect(whole).toMatchObject({ text: expect.stringContaining('Home') })
  expect(main).toMatchObject({ text: expect.not.stringMatching(/Home|alert|p\{\}/) })
  expect(await extract('a.html', '<p>one<p>two')).toMatchObject({ text: 'one\n\ntwo' })
})

test.each([
  ['a.txt', '', 'empty'],
  ['a.md', ' \n ', 'empty'],
  ['a.png', 'x', 'unsupported_format'],
  ['a.zip', 'x', 'unsupported_format'],
  [
    'a.txt',
    Uint8Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 256),
    'unsupported_format',
  ],
  ['a.json', '{"a":', 'corrupt'],
  ['a.json', '['.repeat(200_000), 'corrupt'],
  ['a.json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'corrupt'],
  ['a.html', '<div>'.repeat(200_000), 'corrupt'],
  ['a.html', 'x'.repeat(6_000_000), 'too_large'],
])('%s with bad content fails with its reason', async (name, content, reason) => {
  expect(await extract(name, content)).toMatchObject({ status: 'failed', reason })
})

test('chunks short and long texts alike', async () => {
  const text = 'The committee approved the proposal after a long discussion. '.repeat(3_000)
  const { chunks } = await extractor.chunk(text, noteBounds)

  expect(chunks.length).toBeGreaterThan(50)
  expect(await extractor.chunk('Short.', noteBounds)).toMatchObject({
    chunks: [{ text: 'Short.' }],
  })
})

test('health counts restarts of the converter process', async () => {
  expect(await health.check()).toMatchObject({ status: 'ok', details: { restarts: 0 } })
})
