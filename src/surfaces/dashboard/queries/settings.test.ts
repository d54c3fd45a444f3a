import { expect, test } from 'vitest'
import { fromFieldText, toFieldText } from './settings.ts'

test.each([
  ['8', 'integer', 8],
  ['0.5', 'number', 0.5],
  ['many', 'integer', 'many'],
  ['false', 'boolean', false],
  ['8', 'string', '8'],
  ['["a"]', 'array', ['a']],
  ['not json', undefined, 'not json'],
  [' ', 'string', null],
] as const)('reads %j of type %s as %j', (text, type, value) => {
  expect(fromFieldText(text, { ...(type && { type }) })).toEqual(value)
})

test('shows a list as JSON and an absent value as nothing', () => {
  expect(toFieldText(['a'])).toBe('["a"]')
  expect(toFieldText(undefined)).toBe('')
})
