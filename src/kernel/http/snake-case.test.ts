import { expect, test } from 'vitest'
import { z } from 'zod'
import { foldCases, inBothCases, toSnakeKeys } from './snake-case.ts'

const shape = { createdAt: z.string().optional(), type: z.string().optional() }
const body = z.object(inBothCases(shape)).transform((sent) => foldCases(shape, sent))

test('renames the keys of a reply', () => {
  expect(toSnakeKeys({ id: 'a', sourceCreatedAt: 1 })).toEqual({ id: 'a', source_created_at: 1 })
})

test('accepts both names of a field', () => {
  expect(body.parse({ createdAt: 'a', type: 'b' })).toEqual({ createdAt: 'a', type: 'b' })
  expect(body.parse({ created_at: 'a' })).toEqual({ createdAt: 'a' })
})

test('prefers the camel-case name', () => {
  expect(body.parse({ created_at: 'a', createdAt: 'b' })).toEqual({ createdAt: 'b' })
})
