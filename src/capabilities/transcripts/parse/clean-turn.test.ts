import { describe, expect, test } from 'vitest'
import { cleanTurn } from './clean-turn.ts'

describe('a turn on one line', () => {
  test.each([
    ['password:\n83rPYb4qDDcR and more', 'password: [REDACTED] and more'],
    ['the password\nis rosebud2024', 'the password is [REDACTED]'],
    ['my password is\n\n\n\n\nrosebud2024 now', 'my password is [REDACTED] now'],
  ])('contains no credential of %j', (text, clean) => {
    expect(cleanTurn({ role: 'user', text })).toEqual({
      role: 'user',
      text: clean,
      redactions: 1,
    })
  })

  test('joins lines without a credential', () => {
    expect(cleanTurn({ role: 'user', text: 'the password\nis required' })).toEqual({
      role: 'user',
      text: 'the password is required',
      redactions: 0,
    })
  })
})
