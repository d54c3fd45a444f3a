import { describe, expect, test } from 'vitest'
import { toCleanText } from './clean-text.ts'
import { redactSecrets } from './redact.ts'

/** Each value replaces `#`. */
const values = ['rosebud', 'Tr0ub4dor&3']

const forms: readonly string[] = [
  ...['DB_PASSWORD="two # words" now', "DB_PASSWORD='two # words' now", 'DB_PASSWORD=`two #` now'],
  ...['{"password": "two # words", "user": "ada"}', "config['password'] = 'two # words'"],
  ...[String.raw`{\"password\": \"two # words\"}`, 'password = """two # words"""'],
  ...[String.raw`password="two \" # words"`, 'DB_PASSWORD=\n"two # words"'],
  ...['DB_PASSWORD=\n#', 'API_KEY:\n  #\nuser: ada', 'client_secret:\r\n\t#\r\n', 'password:\n\n#'],
  ...[
    'password: >\n  two #\n  words #\nuser: ada',
    'db:\n  token: |-\n    #\n\n    #\n  user: ada',
  ],
  ...['**Password:** #', '`password`: #', 'DB_PASS=#', 'api key: #'],
  ...[
    'serve --password #',
    'serve --password=#',
    'serve --token # --verbose',
    'x --api-key "two #"',
  ],
  ...['x --client-secret \\\n  #', 'java -password #', "x --db-password 'two # words'"],
  ...['my password is #', 'My password is # and the user is ada', 'the password was #.'],
  ...['the password for the server is #', 'my token is #', 'our API key is now #'],
  ...['my password is "two # words"', 'The password was changed to #', 'passphrase is: #'],
]

const programs: readonly string[] = [
  ...['mysql -p#', 'mysql -h mysql.internal -uroot -p# shop', 'mysqldump -p"two #" shop'],
  ...['mariadb-dump \\\n  -p# shop', 'sshpass -p # ssh host', 'sshpass -p# ssh host'],
  ...['curl -u ada:# https://a.test/', 'curl "https://a.test/?a=1&b=2" --user ada:#'],
  ...['curl -sSu "ada:#" a.test', 'redis-cli -h db -a # ping', 'docker login -u ada -p # a.test'],
  ...['https://ada:#@a.test/x', 'redis://:#@db:6379', 'postgres://ada:a:#@db/x'],
]

describe.each(values)('the value %j', (value) => {
  test.each([...forms, ...programs])('is redacted in %j without its name', (form) => {
    const clean = toCleanText(form.replaceAll('#', () => value))

    expect(clean).not.toContain(value)
    expect(clean).not.toMatch(/two|words/)
    expect(clean).toContain('[REDACTED]')
    expect(clean.match(/pass|token|key|secret|-[a-z]|:\/\//i)).not.toBe(null)
    for (const part of ['ada', 'user', 'now', '--verbose', 'shop', 'ssh host', 'a.test'])
      expect(clean.includes(part)).toBe(form.includes(part))
    expect(toCleanText(clean)).toBe(clean)
  })

  test.each(programs)('is redacted in a memory with %j', (form) => {
    expect(redactSecrets(form.replaceAll('#', () => value)).text).not.toContain(value)
  })
})

test.each(forms)('a memory with %j retains no value of letters and digits', (form) => {
  if (/[>|]-?\n/.test(form) || /DB_PASS=/.test(form)) return
  expect(redactSecrets(form.replaceAll('#', 'rosebud2024x')).text).not.toContain('rosebud2024x')
})

test.each([
  ['DB_PASSWORD="garden path stones"', 'DB_PASSWORD="[REDACTED]"'],
  ["export ADMIN_TOKEN='garden path stones'", "export ADMIN_TOKEN='[REDACTED]'"],
  ['serve --password "garden path stones" -v', 'serve --password "[REDACTED]" -v'],
  ['DB_PASSWORD="garden päth stönes" next', 'DB_PASSWORD="[REDACTED]" next'],
  ['PASSWORT="Kieselsteine am Weg"', 'PASSWORT="[REDACTED]"'],
])('a memory with %j retains none of the words of the value', (text, clean) => {
  expect(redactSecrets(text).text).toBe(clean)
})

test.each([
  'PASSWORD="your password here"',
  'DB_PASSWORD="$DB_PASSWORD and more"',
  'token="<the token>"',
  'TOKEN="$(read the token)"',
  'password: "enter the new one twice"',
  'token = "two words"',
])('a memory with %j stays unchanged', (text) => {
  expect(redactSecrets(text).text).toBe(text)
})

test.each([
  ...['the password is required', 'password is wrong', 'The password is incorrect.'],
  ...['password is missing', 'the password is invalid', 'my password is not accepted'],
  ...['the password is too short', 'my password is 12 characters long', 'The token is expired'],
  ...['the token is a JWT', 'the token is base64', 'the secret is that we use one queue'],
  ...['the API key is read from the environment', 'the password is stored in the vault'],
  ...['the token is opaque', 'my token is still valid', 'the password was changed by ada'],
  ...['The password for the admin user is required', 'the password is <your password>'],
  ...['the secret is patience', 'my password is in the vault', 'the password was never sent'],
  ...['the token is $TOKEN', 'password is ********', 'the password is (optional)'],
  ...[
    'use --password to set it',
    'the --token option',
    '--password is required',
    '--token <token>',
  ],
  ...[
    '--token $TOKEN',
    '--password --user ada',
    'run it with --password or --token',
    '--token FILE',
  ],
  ...['--password-file secrets.txt', '--token [--json]', '`--token` names a token'],
  ...[
    'password:\n  type: string\n  min: 4',
    'secrets:\n  - name\n  - value',
    'DB_PASSWORD=\nDB_USER=ada',
  ],
  ...['Enter password:\nLogin was successful', 'Password:\nUsername:', 'token:\n```\ncode\n```'],
  ...['token:\n# Next heading', 'type A = {\n  token:\n    | string\n    | undefined\n}'],
  ...['const token =\n  readToken(request)', 'password: "string"', 'token: `readToken()`'],
  ...['password="$DB_PASSWORD"', 'password: "<your password>"', 'token: "{{ token }}"'],
  ...['mysql -p shop', 'mysql -P3306 -uroot', 'psql -prosebud', 'mkdir -prosebud', 'cp -parent x'],
  ...['curl -u ada https://a.test/', 'docker run -p 8080:80 web', 'ssh -p 22 host'],
  ...['see https://a.test:8080/x@2', 'git@github.com:ada/tea.git', 'mailto:ada@a.test'],
  ...[
    'max_tokens: 4096',
    '--max-tokens 4096',
    'the key is under the mat',
    'if (token === "x") return',
  ],
])('%j stays unchanged', (text) => {
  expect(toCleanText(text)).toBe(text)
  expect(redactSecrets(text).text).toBe(text)
})

const some = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW'

describe('a key with line breaks or spaces inside', () => {
  test.each([
    `sk-ant-api03-${some.slice(0, 8)}\n    ${some.slice(8)}`,
    `sk-proj-${some}\n${some}\n${some.slice(0, 12)}`,
    `sk-${some.slice(0, 12)} ${some.slice(12)}`,
    `ghp_${some.slice(0, 20)}\r\n${some.slice(20)}${some.slice(0, 7)}`,
    `eyJ${some}.eyJ${some}\n${some}.${some}`,
  ])('%j is redacted as one key', (key) => {
    expect(redactSecrets(`use ${key} now`).text).toBe('use [REDACTED] now')
  })

  test.each([
    ...[
      'sk-learn\nREADME2Notes',
      'the hf_ prefix\nis of tokens',
      'npm_config_cache moduleResolution',
    ],
    ...['gh_pages 2024-Edition', 'task-sk- aB3dE5fG7hJ9kL2m'],
  ])('%j contains no key', (text) => {
    expect(redactSecrets(text).text).toBe(text)
  })

  test('ends at the next key or word', () => {
    const text = `sk-${some}\nghp_${some}${some.slice(0, 7)}\nThe lark2024 sings`

    expect(redactSecrets(text).text).toBe('[REDACTED]\n[REDACTED]\nThe lark2024 sings')
  })
})

const toFullWidth = (text: string) =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))

test.each([
  [`${toFullWidth('ghp_')}${some}${some.slice(0, 7)}`, '[REDACTED]'],
  [toFullWidth(`sk-${some}`), '[REDACTED]'],
  [`AKIA${toFullWidth('ABCDEFGHIJKLMNOP')}`, '[REDACTED]'],
  [toFullWidth('DB_PASSWORD=rosebud'), 'DB_PASSWORD=[REDACTED]'],
])('full-width letters do not hide the credential in %j', (text, clean) => {
  expect(toCleanText(text)).toBe(clean)
})

test('full-width letters stay unchanged without a redaction', () => {
  expect(toCleanText('ｔｅａ ！ ①')).toBe('ｔｅａ ！ ①')
})

describe('adversarial texts', () => {
  const megabyte = 1_000_000
  // About 200 ms on an idle machine and seconds on a busy one. Quadratic time would take minutes.
  const units = [
    ...[
      'password',
      'password=',
      'password="',
      'password=\'"`',
      'token:\n',
      'token: |\n ',
      'my key is ',
    ],
    ...[
      'my my my token is ',
      'password for a b c d ',
      '--token',
      '--token ',
      '-a-token',
      'password\\"',
    ],
    ...[
      'mysql ',
      'mysql -',
      'mysql\\\n',
      'curl -u',
      'curl "-u a',
      'sk-',
      'sk-.',
      'sk- aB3dE5fG',
      'sk-a\n',
    ],
    ...[
      '<private',
      '<private ',
      '<private>',
      '</private>',
      '&lt;private ',
      '&amp;',
      '&#0',
      '&lt;/',
    ],
    ...[
      '://a:',
      '://a:b',
      '://:@',
      'a',
      ' ',
      '\n',
      '=',
      '"',
      "'",
      '\\',
      '\uff41',
      '\u200b',
      'password is was ',
    ],
    ...[
      'eyJ.',
      '**password**: ',
      'password:\n\n',
      'x_pass',
      'token is 1',
      'password\n',
      'api ',
      'secret',
    ],
  ]

  test.each(units)('redacts 1 MB of %j in linear time', { timeout: 10_000 }, (unit) => {
    const text = unit.repeat(Math.ceil(megabyte / unit.length))

    expect(toCleanText(text).length).toBeGreaterThan(-1)
  })
})
