import { expect, test } from 'vitest'
import { z } from 'zod'
import './schema-messages.ts'

test.each<[z.ZodType, unknown, string]>([
  [z.number(), '7', 'must be a number; it is a string'],
  [z.int(), 1.5, 'must be a whole number; it is 1.5'],
  [z.number(), Number.NaN, 'must be a number; it is NaN'],
  [z.string(), undefined, 'is required: a string'],
  [z.string(), null, 'must be a string; it is null'],
  [z.boolean(), [], 'must be true or false; it is a list'],
  [z.object({}), 'a', 'must be an object; it is a string'],
  [z.record(z.string(), z.int()), 4, 'must be an object; it is a number'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.literal(3), 4, 'must be 3'],
  [z.number().max(5), 6, 'must be at most 5'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.array(z.int()).max(1), [1, 2], 'must have at most 1 item'],
  [z.url(), 'here', 'must be a URL'],
  [z.string().regex(/^a/), 'b', 'must match /^a/'],
  [z.string().startsWith('a'), 'b', 'must start with a'],
  [z.number().multipleOf(2), 3, 'must be a multiple of 2'],
  [z.strictObject({}), { odd: 1 }, 'has unknown fields: odd'],
  [z.union([z.int(), z.boolean()]), 'a', 'has none of the accepted forms'],
  [z.custom(() => false), 1, 'is not valid'],
  [z.int('count must be a number'), 'a', 'count must be a number'],
])('%# says what is wrong with the value', (schema, input, message) => {
  expect(schema.safeParse(input).error?.issues[0]?.message).toBe(message)
})
