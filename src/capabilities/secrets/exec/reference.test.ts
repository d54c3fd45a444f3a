import { expect, test } from 'vitest'
import { isReference, toLocalName, toVaultReference } from './reference.ts'

test.each([
  ['NAME', 'NAME'],
  ['local://NAME', 'NAME'],
  ['SVC_KEY', undefined],
  ['exec', undefined],
  ['vault-a://name/NAME', undefined],
])('the local name of %s is %s', (reference, name) => {
  expect(toLocalName(reference)).toBe(name)
})

test.each([
  ['bw://name/NAME', { vault: 'vault-a', kind: 'name', name: 'NAME', field: 'password' }],
  ['vault-a://name/NAME/pin', { vault: 'vault-a', kind: 'name', name: 'NAME', field: 'pin' }],
  ['vault-a://item/a-1/username', { vault: 'vault-a', kind: 'item', id: 'a-1', field: 'username' }],
  ['op://My Farm/db/API key', { vault: 'vault-b', reference: 'op://My Farm/db/API key' }],
  ['vault-b://v/i/s/f', { vault: 'vault-b', reference: 'op://v/i/s/f' }],
])('%s names a value of a vault', (reference, expected) => {
  expect(toVaultReference(reference)).toEqual(expected)
  expect(isReference(reference)).toBe(true)
})

test.each([
  '',
  'a b',
  'vault-c://a/b/c',
  'vault-a://item/id',
  'vault-a://item/-id/password',
  'vault-a://name/SVC_KEY',
  'vault-a://name/a.b',
  'op://vault/item',
  'op://-vault/item/field',
  'op://vault/item/field\n',
  'op://a/b/c/d/e',
])('%j is no reference', (reference) => {
  expect(isReference(reference)).toBe(false)
})
