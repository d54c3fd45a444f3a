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
