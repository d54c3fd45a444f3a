import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { failures } from './failure.ts'

test('docs/operations.md explains every code with its fix', () => {
  const page = readFileSync('docs/operations.md', 'utf8')

  for (const [code, { message, fix }] of Object.entries(failures))
    expect(page).toContain(`| \`${code}\` | ${message} | ${fix} |`)
})
