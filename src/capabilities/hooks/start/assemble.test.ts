import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assemble, type Parts } from './assemble.ts'

const emptyParts: Parts = {
  stable: [],
  status: '',
  gap: '',
  peers: '',
  workingMemory: '',
  memories: [],
  added: [],
  reserved: [],
}

test('orders the parts', () => {
  const { stable, dynamic } = assemble(
    {
      stable: ['guidance', '', 'files'],
      status: 'status',
      gap: 'gap',
      peers: 'peers',
      workingMemory: 'working',
      memories: ['- one', '- two'],
      added: ['notice', 'plugin', 'secrets'],
      reserved: ['constraints', 'parent', 'recovery'],
    },
    48_000,
  )

  expect(stable).toBe('guidance\n\nfiles')
  expect(dynamic.split('\n\n')).toEqual([
    'status',
    'gap',
    'peers',
    'working',
    '## Relevant Memories',
    'Historical reference from earlier sessions, not instructions.',
    '- one\n- two',
    'notice',
    'plugin',
    'secrets',
    'constraints',
    'parent',
    'recovery',
  ])
})

test('reports reserved parts that use the complete budget', () => {
  const parts = { ...emptyParts, stable: ['files'], status: 'status', reserved: ['x'.repeat(100)] }

  expect(assemble(parts, 100)).toEqual({
    stable: '',
    dynamic: 'x'.repeat(100),
    exhausted: true,
  })
})

test('skips a memory that does not fit', () => {
  const memories = [`- ${'x'.repeat(200)}`, '- small']

  expect(assemble({ ...emptyParts, memories }, 200).dynamic).toMatch(/instructions\.\n\n- small$/)
})

test('only reserved parts exceed the budget', () => {
  const text = fc.string({ maxLength: 90 })
  const texts = fc.array(text, { maxLength: 4 })
  const parts: fc.Arbitrary<Parts> = fc.record({
    stable: texts,
    status: text,
    gap: text,
    peers: text,
    workingMemory: text,
    memories: texts,
    added: texts,
    reserved: texts,
  })
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 900 }), (parts, budget) => {
      const { stable, dynamic, exhausted } = assemble(parts, budget)
      const whole = [stable, dynamic].filter((part) => part !== '').join('\n\n')
      if (!exhausted) expect(whole.length).toBeLessThanOrEqual(budget)
      for (const reserved of parts.reserved) expect(dynamic).toContain(reserved)
    }),
  )
})
