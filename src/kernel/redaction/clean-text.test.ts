import { expect, test } from 'vitest'
import { toCleanText } from './clean-text.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`

test.each([
  [`a <private>b</private> ${key}`, 'a  [REDACTED]'],
  ['DB_PASSWORD=rosebud now', 'DB_PASSWORD=[REDACTED] now'],
  ['password=rosebud', 'password=[REDACTED]'],
  ['API_KEY: rosebud', 'API_KEY: [REDACTED]'],
  ['"client_secret": "rosebud"', '"client_secret": "[REDACTED]"'],
  ['password: rosebud', 'password: [REDACTED]'],
  ['export PGPASSWORD=rosebud', 'export PGPASSWORD=[REDACTED]'],
  ['secret = "rosebud"', 'secret = "[REDACTED]"'],
  ['mysql://ada:rosebud@db/x', 'mysql://ada:[REDACTED]@db/x'],
])('strict redaction changes %j to %j and is idempotent', (text, clean) => {
  expect(toCleanText(text)).toBe(clean)
  expect(toCleanText(clean)).toBe(clean)
})

test.each([
  'memory/2026-11-23T00-15-38.936Z--ps4dsnv2znjs3cir--compaction.md',
  'agents/ada/memory/MEMORY.backup-2026-11-23T00-15-40.332Z.md',
  'agent:ada:01890a5d-ac96-774b-bcce-b302099a8057',
  'ses_5f2c1aQ7Rk3bVxPz09LmNoTuWy',
  'transcript:ps4dsnv2znjs3cir and arc:9fceb02d0ae598e95dc970b74767f193',
  'function sign(token: string, password: string | undefined)',
  'const token = readToken(request); if (token === null) return',
  'password: $DB_PASSWORD, api_key: <your key>',
  'the token limit: 4096; tokens: 4096 used; the password policy: twelve letters',
])('strict redaction leaves %j unchanged', (text) => {
  expect(toCleanText(text)).toBe(text)
})

test.each([
  ...['token: Token', 'password: string', 'apiKey: ApiKey', 'api_key: ApiKey | undefined'],
  ...['accessToken: AccessToken', 'token: CsrfToken)', 'secret: Buffer;', 'password: str,'],
  ...['passphrase: Passphrase[]', '{ token: token }', 'secret: &str', 'password: Option<String>'],
  ...['secret: bytes = read()', 'apiKey: readonly string[]'],
])('the type in the code %j stays unchanged', (code) => {
  expect(toCleanText(code)).toBe(code)
})

test.each([
  ...['API_KEY: rosebud', 'password=rosebud', 'password: Rosebud', 'password=Password'],
  ...['password: mypassword', 'password: Password!2024', 'token: "Token"', 'token: token-rosebud'],
  ...['API_KEY: bufferrosebud', 'secret=Buffer', 'token=token', 'password: Stringrosebud'],
])('the value in %j is redacted', (text) => {
  expect(toCleanText(text)).toContain('[REDACTED]')
})
