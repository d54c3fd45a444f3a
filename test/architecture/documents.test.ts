import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { renderHttpApi } from '../../scripts/http-api.ts'
import { renderMcpTools } from '../../scripts/mcp-tools.ts'
import { readTables } from '../../scripts/read-tables.ts'
import { findRefusalCodes, readDocumentedCodes } from '../../scripts/refusal-codes.ts'

const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'src/**/*.md'])

const tables = await readTables()

test('docs/http-api.md matches the routes: npm run docs', () => {
  expect(readFileSync('docs/http-api.md', 'utf8')).toBe(renderHttpApi(tables))
})

test.each(tables.routes)('the summary of $name is one sentence', ({ summary }) => {
  expect(summary).toMatch(/^[A-Z].*\.$/)
})

test('docs/mcp-tools.md matches the tools: npm run docs', () => {
  expect(readFileSync('docs/mcp-tools.md', 'utf8')).toBe(renderMcpTools(tables))
})

test('docs/refusals.md explains exactly the codes that can occur', () => {
  const answered = [...findRefusalCodes().keys()].toSorted()

  expect(readDocumentedCodes(), 'the table in docs/refusals.md, in alphabetical order').toEqual(
    answered,
  )
})

test('docs/events.md lists exactly the events that programs can follow', () => {
  const sources = globSync('src/capabilities/*/events.ts').map((file) => readFileSync(file, 'utf8'))
  // An event with options has a definition of its stream.
  const defined = sources.flatMap((text) => [...text.matchAll(/\(\s*'([a-z]+\.[a-z_]+)',\s/g)])
  const page = readFileSync('docs/events.md', 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `[a-z]+\.[a-z]/.test(line))
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])

  expect(listed.map(([, name]) => name).toSorted()).toEqual(
    defined.map(([, name]) => name).toSorted(),
  )
})

test('SECURITY.md has an existing test for each promise', () => {
  const [, table = ''] = readFileSync('SECURITY.md', 'utf8').split('|---|---|\n')
  const promises = table.split('\n').filter((line) => line.startsWith('| '))
  const shown = promises.map((line) =>
    [...line.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path),
  )

  expect(promises.filter((_, index) => shown[index]?.length === 0)).toEqual([])
  expect(shown.flat().filter((path) => !existsSync(path))).toEqual([])
  expect(promises.length).toBeGreaterThan(10)
})

test.each(pages)('the links of %s resolve', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
  const broken = links.filter(([, to = '']) => !existsSync(join(dirname(page), to)))

  expect(broken.map(([, to]) => to)).toEqual([])
})

test.each(pages)('%s names no path of one machine', (page) => {
  expect(readFileSync(page, 'utf8')).not.toMatch(/(^|[\s`'"(])\/(home|root|tmp|work|Users)\//m)
})
