import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactSecrets, redactStrictly, removePrivateSpans } from './redact.ts'

const run = promisify(execFile)
const some = (length: number) => 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW'.repeat(12).slice(0, length)
const upper = (length: number) =>
  some(length)
    .toUpperCase()
    .replaceAll(/[0189]/g, '7')

/** Built from parts, so that secret scanners ignore this file. */
const secrets: readonly (readonly [kind: string, secret: string])[] = [
  ['aws-access-key', `AKIA${upper(16)}`],
  ['github-token', `ghp_${some(36)}`],
  ['github-token', `github_pat_${some(82)}`],
  ['gitlab-token', `glpat-${some(20)}`],
  ['slack-token', `xoxb-${some(24)}`],
  ['stripe-key', `sk_live_${some(24)}`],
  ['stripe-webhook', `whsec_${some(32)}`],
  ['model-key', `sk-ant-api03-${some(80)}`],
  ['model-key', `sk-proj-${some(48)}`],
  ['google-api-key', `AIza${some(35)}`],
  ['google-oauth-token', `ya29.${some(60)}`],
  ['google-oauth-secret', `GOCSPX-${some(28)}`],
  ['npm-token', `npm_${some(36)}`],
  ['pypi-token', `pypi-AgE${some(80)}`],
  ['huggingface-token', `hf_${some(34)}`],
  ['service-key', `svck_meadowed_${some(43)}`],
  ['digitalocean-token', `dop_v1_${'0a1b2c3d'.repeat(8)}`],
  ['vault-token', `hvs.${some(40)}`],
  ['shopify-token', `shpat_${'0a1b2c3d'.repeat(4)}`],
  ['databricks-token', `dapi${'0a1b2c3d'.repeat(4)}`],
  ['age-key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['model-key', `gsk_${some(52)}`],
  ['model-key', `xai-${some(80)}`],
  ['linear-key', `lin_api_${some(40)}`],
  ['sendgrid-key', `SG.${some(22)}.${some(43)}`],
  ['telegram-token', `123456789:AA${some(33)}`],
  ['jwt', `eyJ${some(20)}.eyJ${some(40)}.${some(43)}`],
]

/** The text before the secret is retained. */
const partialFormats: readonly (readonly [kind: string, written: string, left: string])[] = [
  ['slack-webhook', `hooks.slack.com/services/T0/B0/${some(24)}`, 'hooks.slack.com/services/'],
  [
    'discord-webhook',
    `discord.com/api/webhooks/123456789/${some(60)}`,
    'discord.com/api/webhooks/123456789/',
  ],
  ['sas-signature', `https://a.test/b?se=1&sig=${some(40)}%3D`, 'https://a.test/b?se=1&sig='],
  ['azure-key', `AccountKey=${some(86)}==`, 'AccountKey='],
  ['authorization', `Bearer ${some(24)}`, 'Bearer '],
  ['url-password', 'postgres://ada:lovelace@db/x', 'postgres://ada:'],
  ['assignment', `DB_PASSWORD=${some(10)}`, 'DB_PASSWORD='],
  ['assignment', `"client_secret": "${some(20)}"`, '"client_secret": "'],
  [
    'private-key',
    `-----BEGIN RSA PRIVATE KEY-----\n${some(64)}\n-----END RSA PRIVATE KEY-----`,
    '',
  ],
  ['private-key', `-----BEGIN PRIVATE KEY-----\n${some(64)}\n${some(40)}`, ''],
]

describe('credentials', () => {
  test.each(secrets)('removes a %s inside a text', (kind, secret) => {
    const written = `Use "${secret}", then go on.`

    expect(redactSecrets(written)).toEqual({
      text: 'Use "[REDACTED]", then go on.',
      redactions: 1,
      kinds: [kind],
    })
  })

  test.each(partialFormats)('removes only the secret of a %s', (kind, written, left) => {
    const { text, redactions, kinds } = redactSecrets(`say ${written} end`)

    expect(text.startsWith(`say ${left}[REDACTED]`)).toBe(true)
    expect(text.endsWith(' end')).toBe(true)
    expect(text).not.toContain('lovelace')
    expect(text).not.toContain(some(10))
    expect({ redactions, kinds }).toEqual({ redactions: 1, kinds: [kind] })
  })

  test.each([
    'the token limit is 4096 and the password policy asks for twelve letters',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is on main',
    'password: <your password here>',
    'API_KEY=<API_KEY_FROM_VAULT1>',
    'see src/kernel/hygiene/redact.ts and https://example.com/a:b/c@2x.png',
    'id 01890a5d-ac96-774b-bcce-b302099a8057',
    'task-sk-and-others',
    'tokenizer: cl100k_base, passwordless=true123456',
    'token=abcdefg and secret: 12345678',
  ])('%s contains no credential', (text) => {
    expect(redactSecrets(text)).toEqual({ text, redactions: 0, kinds: [] })
  })

  test.each(['Cookie: ', 'Set-Cookie: ', 'cookie: '])('removes a long value of %j', (header) => {
    const { text, kinds } = redactSecrets(`curl -H "${header}theme=dark; sid=${some(40)}" a.test`)

    expect(text).toBe(`curl -H "${header}[REDACTED]" a.test`)
    expect(kinds).toEqual(['cookie'])
  })

  test('retains short cookies', () => {
    const text = 'Cookie: theme=dark; the cookie: is set'

    expect(redactSecrets(text).text).toBe(text)
  })

  test('strict redaction retains workspace file names and removes longer runs', () => {
    const name = `2026-01-02T03-04-05.678Z--${'abc2'.repeat(4)}--compaction`

    expect(redactStrictly(`see memory/${name}.md`).text).toBe(`see memory/${name}.md`)
    expect(redactStrictly(`${name}${'Q7'.repeat(9)}`).text).toContain('[REDACTED]')
  })

  test('strict redaction removes encoded runs, but no hashes and paths', () => {
    const hash = '9fceb02d0ae598e95dc970b74767f19372d61af8'
    const path = '/srv/Ada7/projects/transcripts/source/kernel/hygiene'
    const { text } = redactStrictly(
      `${some(48)} ${hash} ${path} KEY=QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=`,
    )

    expect(text).toBe(`[REDACTED] ${hash} ${path} KEY=[REDACTED]`)
  })

  test('counts each credential and leaves clean text unchanged', () => {
    const text = secrets.map(([, secret]) => secret).join('\n')

    expect(redactSecrets(text).redactions).toBe(secrets.length)
    expect(redactSecrets(redactSecrets(text).text).redactions).toBe(0)
  })
})

describe('private spans', () => {
  test.each([
    ['a <private>b</private> c', 'a  c', 1],
    ['<PRIVATE>b\nb</Private>c<private>d</private>', 'c', 2],
    ['a<private>b<private>c</private>d', 'a', 1],
    ['a<private>never closed', 'a', 1],
    ['a</private>b', 'a</private>b', 0],
  ])('changes %j to %j', (written, text, redactions) => {
    expect(removePrivateSpans(written)).toMatchObject({ text, redactions })
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      'eyJ',
      '.',
      '-',
      '_',
      'A',
      '9',
      '://',
      ':',
      '@',
      '=',
      '"',
      ' ',
      '/',
      'password',
      'token',
      'x',
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '<private>',
      'sk-',
      'ghp_',
      'AKIA',
      'Bearer ',
      'SG.',
      'xoxb-',
    ],
  )

  test('redaction is idempotent', () => {
    const texts = fc.array(pieces, { maxLength: 200 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
        const clean = redactStrictly(text)
        expect(clean.redactions === 0).toBe(clean.text === text)
        expect(redactStrictly(clean.text).text.length).toBeLessThanOrEqual(clean.text.length + 10)
      }),
    )
  })

  test('runs in linear time', () => {
    // Milliseconds in linear time. Quadratic time would exceed the timeout.
    const size = 200_000
    const unit = fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(unit, (repeated) => {
        const text = repeated.repeat(Math.ceil(size / repeated.length))
        redactStrictly(text)
        removePrivateSpans(text)
      }),
      { numRuns: 40 },
    )
  })
})

const splitKey = `g\u200bhp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`

test('invisible characters hide no credential and no private span', () => {
  expect(redactSecrets(`the key is ${splitKey}`)).toMatchObject({
    text: 'the key is [REDACTED]',
    redactions: 1,
  })
  expect(removePrivateSpans('a<pri\u200dvate>b</private>c').text).toBe('ac')
})

test('invisible characters stay unchanged without a redaction', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'

  expect(redactStrictly(family).text).toBe(family)
})

test.each(['<private >', '<PRIVATE reason="x">', '< private>', '<private\n>'])(
  '%j opens a private span',
  (open) => {
    expect(removePrivateSpans(`a${open}b</ private >c`).text).toBe('ac')
  },
)

test('patterns ignore case in a process with much machine code', async () => {
  const fixture = fileURLToPath(new URL('much-code.fixture.ts', import.meta.url))
  const texts = ['DB_PASSWORD=rosebud', 'API_KEY: AccessToken', '--token FILE']

  const { stdout } = await run(process.execPath, [fixture, ...texts])

  expect(JSON.parse(stdout)).toEqual(['DB_PASSWORD=[REDACTED]', ...texts.slice(1)])
})
