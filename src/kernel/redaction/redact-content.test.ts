import { describe, expect, test } from 'vitest'
import { redactContent } from './redact-content.ts'

const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const written = `<private>x</private>y ${token}`

describe('stored content', () => {
  test('depends on the mode, except private spans', () => {
    expect(redactContent(written, 'redact')).toEqual({ value: 'y [REDACTED]', redactions: 2 })
    expect(redactContent(written, 'off')).toEqual({ value: `y ${token}`, redactions: 1 })
    expect(redactContent('<private>x</private>', 'block')).toEqual({ value: '', redactions: 1 })
  })

  test('is redacted at any depth and otherwise unchanged', () => {
    const nested = { a: [1, null, { b: written }], c: true, d: undefined }

    expect(redactContent(nested, 'redact')).toEqual({
      value: { a: [1, null, { b: 'y [REDACTED]' }], c: true, d: undefined },
      redactions: 2,
    })
  })

  test('includes field names', () => {
    expect(redactContent({ [written]: { [token]: 1 } }, 'redact')).toEqual({
      value: { 'y [REDACTED]': { '[REDACTED]': 1 } },
      redactions: 3,
    })
  })

  test('is refused with all kinds of credentials and without their values', () => {
    const cleaning = () => redactContent([written, `AKIA${'A'.repeat(16)}`], 'block')

    expect(cleaning).toThrow(
      expect.objectContaining({
        code: 'credential_blocked',
        message: 'content holds a credential',
        details: { kinds: ['github-token', 'aws-access-key'] },
      }),
    )
  })

  test('is refused when nested too deeply', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)

    expect(() => redactContent(deep, 'redact')).toThrow('nested')
  })
})

describe('the value of a field', () => {
  test.each([
    'password',
    'DB_PASSWORD',
    'api_key',
    'apiKey',
    'API-Key',
    'token',
    'accessToken',
    'client_secret',
    'clientSecret',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'privateKey',
    'db.password',
    'refresh_tokens',
    'credentials',
    'password2',
    'HTTPToken',
    'pwd',
  ])('%s is redacted, whatever its value', (name) => {
    const written = { metadata: { [name]: 'rosebud', deep: [{ [name]: 1234 }] } }

    expect(redactContent(written, 'redact')).toEqual({
      value: { metadata: { [name]: '[REDACTED]', deep: [{ [name]: '[REDACTED]' }] } },
      redactions: 2,
    })
    expect(redactContent(written, 'off')).toEqual({ value: written, redactions: 0 })
    expect(() => redactContent(written, 'block')).toThrow(
      expect.objectContaining({ details: { kinds: ['secret-field'] } }),
    )
  })

  test.each([
    'token_count',
    'max_tokens',
    'tokens',
    'tokenizer',
    'password_policy',
    'passwordless',
    'secretary',
    'key',
    'keys',
    'idempotencyKey',
    'sessionKey',
    'primary_key',
    'tokenType',
  ])('%s stays unchanged', (name) => {
    const written = { metadata: { [name]: 'rosebud', deep: [{ [name]: 1234 }] } }

    expect(redactContent(written, 'block')).toEqual({ value: written, redactions: 0 })
  })

  test('is redacted in lists and as `value`; flags and empty values stay unchanged', () => {
    const written = {
      password: ['a', 1],
      secret: { value: 'rosebud', type: 'text' },
      value: 'x',
      token: true,
      api_key: null,
      access_key: '',
      pwd: '[REDACTED]',
    }

    expect(redactContent(written, 'redact')).toEqual({
      value: {
        password: ['[REDACTED]', '[REDACTED]'],
        value: 'x',
        secret: { value: '[REDACTED]', type: 'text' },
        token: true,
        api_key: null,
        access_key: '',
        pwd: '[REDACTED]',
      },
      redactions: 3,
    })
  })
})
