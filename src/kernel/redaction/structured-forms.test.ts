import { describe, expect, test } from 'vitest'
import { toCleanText } from './clean-text.ts'
import { redactSecrets } from './redact.ts'

/** Each value replaces `#`. */
const strictForms: readonly string[] = [
  ...['Server=db;Uid=sa;Pwd=#;', 'secret := "#"', '<password>#</password>', 'Passwort: #'],
  ...['<db:api-key type="x">#</db:api-key>', '<add key="password" value="#"/>'],
  ...['- name: DB_PASSWORD\n  value: #', '{"name": "DB_PASSWORD", "value": "#"}'],
  ...['| password | # |', '| **API key** | `#` | note |', 'machine h login me password #'],
  ...['machine h\n  login me\n  password #\n', 'contraseña: #', '密码: #', '密码：#'],
  ...['mot de passe : #', 'パスワード: #', 'パスワード：#', 'senha: #', 'пароль: #'],
  ...['GH_PAT=#', 'STRIPE_KEY=#', 'OPENAI_KEY: "#"', 'ENCRYPTION_KEY=#', 'ACME_KEY=#'],
  ...['credential=#', 'pw: #', 'Pass: #', '**Pass**: #', 'password -> #', 'password == "#"'],
  ...['setPassword("#")', ".password('#')", "login password '#'", "IDENTIFIED BY '#'"],
  ...['password%3D#', 'the password is:\n#', 'password :\n\n#', 'pw=#'],
]
const values = ['gtg5USnvv96g', 'rmadotzymk', 'CaTJKJhAktJeeXuI']

describe.each(values)('the value %j', (value) => {
  test.each(strictForms)('is redacted in derived text with %j', (form) => {
    const clean = toCleanText(form.replaceAll('#', () => value))

    expect(clean).toBe(form.replaceAll('：', ':').replaceAll('#', '[REDACTED]'))
    expect(toCleanText(clean)).toBe(clean)
  })
})

const hex = '0a1b2c3d'.repeat(4)

test.each([
  ...['password hunter2', 'password "hunter2"', "the password 'hunter2' works", 'PIN: 482913'],
  ...[`twilio auth token ${hex}`, `api key ${hex}`, 'api key aB3dE5fG7hJ9kL2mN4'],
  ...[
    'password:\n83rPYb4qDDcR and the rest',
    'password:\n- 83rPYb4qDDcR',
    'passphrase:\n> x9Yb4qDDcR ok',
  ],
  ...['Summary of work:\npassword:\n83rPYb4qDDcR is it', 'token:\n```\n83rPYb4qDDcR\n```'],
])('derived text retains no value of %j', (text) => {
  const clean = toCleanText(text)

  expect(clean).toContain('[REDACTED]')
  expect(clean).not.toMatch(/hunter2|482913|0a1b|aB3d|83rP|x9Yb/)
})

test.each([
  ...['DB_PASSWORD=#', '{"password":"#"}', 'serve --password #', "password: '#'", 'secret := "#"'],
  ...['config["api_key"] = "#"', '?token=#', '<password>#</password>', '{"credential": "#"}'],
  ...['<add key="password" value="#"/>', '| password | # |', 'machine h login me password #'],
  ...['setPassword("#")', 'GH_PAT=#', 'senha=#', 'Passwort: "#"', 'Pwd=#;'],
])('a memory with %j retains no value without a digit', (form) => {
  for (const value of ['llawanfxkb', 'CaTJKJhAktJeeXuI'])
    expect(redactSecrets(form.replaceAll('#', () => value)).text).toBe(
      form.replaceAll('#', '[REDACTED]'),
    )
})

test.each(['password: #', 'the password is #', 'API key：#'])(
  'a memory with %j retains no letters in random case',
  (form) => {
    const { text } = redactSecrets(form.replaceAll('#', 'CaTJKJhAktJeeXuI'))

    expect(text).toBe(form.replaceAll('：', ':').replaceAll('#', '[REDACTED]'))
  },
)

const readable = [
  ...['password: string', 'token = getToken()', 'password=password', 'password: <your password>'],
  ...['password=<your password>', 'password=changeme', 'password: "changeme"', 'password=***'],
  ...[
    'password=process.env.DB_PASSWORD',
    'token = process.env.API_TOKEN2',
    'token=your-token-here',
  ],
  ...['"password": "required"', '"token": "accessToken"', 'connect(password=db_password)'],
  ...['token: readTokenFromHeader', 'const secret = sessionSecretStore', 'password=$DB_PASSWORD'],
  ...['password: correct horse battery', 'serve --password required', '<token>string</token>'],
  ...['| password | string | required |', '| password | The password of the user |'],
  ...['setPassword(input)', 'getToken("github")', '"password": "Enter the password again"'],
  ...['API_KEY=%API_KEY%', 'PASSWORD=$(cat file)', 'password=xxxxxxxxxx', 'secret=placeholder'],
]

test.each(readable)('a memory with %j stays unchanged', (text) => {
  expect(redactSecrets(text).text).toBe(text)
})

const strictlyReadable = [
  ...[
    'const password = process.env.DB_PASSWORD;',
    'apiKey: config.apiKey,',
    'os.environ["API_KEY"]',
  ],
  ...[
    'input("Password: ")',
    'x = input("Password: "), input("User: ")',
    'Secret: always salt the water.',
  ],
  ...[
    'api_key = os.environ["API_KEY"]',
    'password: this.options.password,',
    'token = req.body.token',
  ],
  ...[
    'PWD=/srv/app',
    'cd $PWD; OLDPWD="/srv"',
    'the tests pass: all of them',
    'pass: 1200, fail: 3',
  ],
  ...[
    'PRIMARY_KEY=tea_leaves',
    'pin: react@18.2.0',
    'type: password',
    'the password field is required',
  ],
  ...['| password | token |\n|---|---|', '| Field | Type |\n| --- | --- |\n| password | string |'],
  ...[
    'a login form with a password field',
    'password sha256 hashing',
    'the token v2 format',
    '(password) -> bool',
  ],
  ...[
    'password -> string',
    'if (token === "") return',
    'getToken("github")',
    'the api key rotation job',
  ],
  ...[
    'compass: north-east',
    'spin: fast',
    'https://a.test/?page=2',
    'a bypass: none',
    'sort_key: created_at',
  ],
  ...['password reset2fa.ts', 'secret: optional', 'monkey: banana'],
]

test.each(strictlyReadable)('any text with %j stays unchanged', (text) => {
  expect(toCleanText(text)).toBe(text)
  expect(redactSecrets(text).text).toBe(text)
})

describe('adversarial texts', () => {
  const units = [
    ...['<password', '<password>', '<password>a', '| password | ', '|password|a', 'login '],
    ...[
      'machine a login ',
      'machine a login b password ',
      'key="password" value=',
      'name: key value=',
    ],
    ...[
      'setPassword("',
      'setPassword("a',
      'password a1',
      'password "a1',
      'token a1',
      'pw:',
      'pw: ',
    ],
    ...['pass:\n- ', 'password:\n```\n', 'password=a.', 'password=process.env.', 'password=aB'],
    ...[
      'secret: not a ',
      'secret: a-',
      '密码:',
      'mot de passe ',
      '_pat=',
      'A_KEY=',
      'pin:1',
      '%3d',
    ],
    ...[
      'Cookie: ',
      'Cookie: a=',
      '?sig=',
      '<private/>',
      '\\u003cprivate',
      '\\\\',
      '%3c',
      '/api/webhooks/',
    ],
    ...[
      'password=abcdefghi',
      '--password abcdefghijk ',
      '"password":"abcdefghi"',
      'password:=',
      'token->',
    ],
  ]

  test.each(units)('redacts 300 kB of %j in linear time', { timeout: 10_000 }, (unit) => {
    const text = unit.repeat(Math.ceil(300_000 / unit.length))

    expect(toCleanText(text).length).toBeGreaterThan(-1)
  })
})
