import { describe, expect, test } from 'vitest'
import { redactContent } from './redact-content.ts'

const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const written = `<private>x</private>y ${token}`

describe('what may be kept', () => {
  test('depends on the mode, but a private span goes in each', () => {
    expect(redactContent(written, 'redact')).toEqual({ value: 'y [REDACTED]', redactions: 2 })
    expect(redactContent(written, 'off')).toEqual({ value: `y ${token}`, redactions: 1 })
    expect(redactContent('<private>x</private>', 'block')).toEqual({ value: '', redactions: 1 })
  })

  test('is looked for at any depth, and all else stays as it is', () => {
    const nested = { a: [1, null, { b: written }], c: true, d: undefined }

    expect(redactContent(nested, 'redact')).toEqual({
      value: { a: [1, null, { b: 'y [REDACTED]' }], c: true, d: undefined },
      redactions: 2,
    })
  })

  test('includes the names of fields', () => {
    expect(redactContent({ [written]: { [token]: 1 } }, 'redact')).toEqual({
      value: { 'y [REDACTED]': { '[REDACTED]': 1 } },
      redactions: 3,
    })
  })

  test('is refused with all its kinds and without its values', () => {
    const cleaning = () => redactContent([written, `AKIA${'A'.repeat(16)}`], 'block')

    expect(cleaning).toThrow(
      expect.objectContaining({
        code: 'credential_blocked',
        message: 'content holds a credential',
        details: { kinds: ['github-token', 'aws-access-key'] },
      }),
    )
  })

  test('is refused where it is nested without end', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)

    expect(() => redactContent(deep, 'redact')).toThrow('nested')
  })
})
