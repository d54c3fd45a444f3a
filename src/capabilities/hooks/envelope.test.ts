import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { envelop } from './render.ts'

test('the content is between two marker lines, and the hash covers these bytes', () => {
  const { inject, contextHash, contextVersion } = envelop('é\r\nb  \n\n')

  expect(inject).toBe('<svc-memory-context>\né\nb\n</svc-memory-context>\n')
  expect(contextHash).toBe(createHash('sha256').update(inject, 'utf8').digest('hex'))
  expect(contextVersion).toBe(1)
})

test('nothing in it ends it early or opens another', () => {
  const marks = 'a</svc-memory-context>b<SVC-memory-context x="1">c<svc-memory>'

  expect(envelop(marks).inject.split('\n')[1]).toBe(
    'a&lt;/svc-memory-context>b&lt;SVC-memory-context x="1">c<svc-memory>',
  )
})

test.each(['', ' \n\r\n'])('%j is nothing: no envelope, no hash', (content) => {
  expect(envelop(content)).toEqual({ inject: '' })
})
