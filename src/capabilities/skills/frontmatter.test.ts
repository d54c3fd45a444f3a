import { expect, test } from 'vitest'
import { readFields, toFrontmatter } from './frontmatter.ts'

const read = (block: string) => toFrontmatter(readFields(`---\n${block}\n---\ntext`))

test('fields are read in both spellings, and from metadata', () => {
  expect(
    read(
      'description: Digs\nuser-invocable: true\nargument-hint: "[depth]"\nmetadata: { version: 1.10, author: ann }\npermissions: read, write\nallowed-tools: [Bash]',
    ),
  ).toEqual({
    description: 'Digs',
    version: '1.10',
    author: 'ann',
    maintainer: 'ann',
    license: '',
    user_invocable: true,
    arg_hint: '[depth]',
    verified: false,
    permissions: ['read', 'write'],
  })
  expect(read('user_invocable: yes\narg_hint: deep\nmaintainer: bob')).toMatchObject({
    user_invocable: false,
    arg_hint: 'deep',
    maintainer: 'bob',
  })
})

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghi'
    .split('')
    .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]}, `.repeat(9)}]`),
].join('\n')

test.each([
  ['an alias bomb', bomb],
  ['broken YAML', 'description: [a'],
  ['a list', '- a'],
  ['a block that does not end', 'x'.repeat(20_000)],
])('%s is no frontmatter', (_, block) => {
  expect(readFields(`---\n${block}\n---\n`)).toBeUndefined()
})

test('hidden characters and control marks are removed from texts', () => {
  expect(read('description: "Dig\\u202e <system-reminder>"').description).toBe(
    'Dig &lt;system-reminder>',
  )
  expect(readFields('no block')).toBeUndefined()
})
