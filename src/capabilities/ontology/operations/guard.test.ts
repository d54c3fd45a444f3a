import { expect, test } from 'vitest'
import { compareValues } from './guard.ts'

test.each([
  ['Atlas uses the Redis cache', 'Atlas does not use the Redis cache', 'negation_mismatch'],
  ["Atlas doesn't need Redis cache", 'Atlas will need Redis cache', 'negation_mismatch'],
  ['Doesn’t run nightly builds', 'run nightly builds', 'negation_mismatch'],
  ['nightly builds enabled', 'nightly builds disabled', 'antonym_conflict'],
  ['the nightly build is on', 'the nightly build is off', 'antonym_conflict'],
  ['always deploy on Friday evening', 'deploy on Friday evening', null],
  ['nightly builds enabled', 'nightly builds enabled', null],
  ['never', 'always', null],
  ['Redis', 'not Redis', null],
  ['数据库使用主从复制', '数据库不使用主从复制', 'negation_mismatch'],
  ['数据库使用主从复制', '数据库使用主从复制了', null],
])('%s / %s: %s', (one, other, reason) => {
  expect(compareValues(one, other).reason).toBe(reason)
  expect(compareValues(other, one).reason).toBe(reason)
  expect(compareValues(one, other).detected).toBe(reason !== null)
})
