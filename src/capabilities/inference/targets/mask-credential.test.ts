import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStreamMask, maskCredential } from './mask-credential.ts'

const credential = 'aabaabaac'

test.each([
  ['nothing without a credential', '', 'text', 'text'],
  ['nothing for a short credential', 'text', 'text', 'text'],
  ['each occurrence', credential, `a ${credential} ${credential}`, 'a [credential] [credential]'],
])('masks %s', (_, secret, text, masked) => {
  expect(maskCredential(text, secret)).toBe(masked)
})

test('a text in pieces is masked like the whole text', () => {
  const piece = fc.oneof(
    fc.constant(credential),
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const mask = createStreamMask(credential)
      const streamed = pieces.map(mask.push).join('') + mask.flush()

      expect(streamed).toBe(maskCredential(pieces.join(''), credential))
    }),
  )
})

test('a piece without the start of the credential is not delayed', () => {
  expect(createStreamMask(credential).push('some words')).toBe('some words')
})
