import { describe, expect, test } from 'vitest'
import { runReverie } from '../support/run-reverie.ts'

const nowhere = { SVC_URL: 'http://127.0.0.1:9' }

test('without arguments it prints the help', async () => {
  const { code, stdout, stderr } = await runReverie([])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Usage: reverie')
})

test('the version is a text, and with --json a document', async () => {
  const { stdout: text } = await runReverie(['--version'])
  const { code, stdout } = await runReverie(['--version', '--json'])

  expect(text).toMatch(/^\d+\.\d+\.\d+/)
  expect([code, JSON.parse(stdout)]).toEqual([0, { version: text.trim() }])
})

test.each([
  ['remember'],
  ['replace'],
  ['recall'],
  ['list'],
  ['forget'],
  ['agents', 'create'],
  ['start'],
  ['restart'],
  ['sessions', 'search'],
  ['completion'],
])('the help of %s %s shows an example', async (...args) => {
  const { code, stdout } = await runReverie([...args, '--help'])

  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`Examples:\\n  \\$ .*reverie ${args.join(' ')}`))
})

test.each([
  [['daemon', 'logs'], 'logs'],
  [['--url', 'http://127.0.0.1:9', 'daemon', 'stop'], 'stop'],
  [['agent', 'add'], 'agents create'],
  [['agent', 'info'], 'agents show'],
  [['bypass'], 'sessions bypass'],
  [['bypass', '--list'], 'sessions list'],
  [['sync'], 'git sync'],
  [['configure'], 'config'],
  [['ui'], 'dashboard'],
])('%j is another name of %s', async (words, name) => {
  expect((await runReverie([...words, '--help'])).stdout).toContain(`Usage: reverie ${name} `)
})

test.each([
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ FORCE_COLOR: 'false' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{ FORCE_COLOR: '0', CI: '1' }, false],
])('with %j an error is coloured: %s', async (variables, isColored) => {
  const { stderr } = await runReverie(['nonsense'], { env: { ...nowhere, ...variables } })

  expect(stderr).toContain("unknown command 'nonsense'")
  expect(stderr.includes('\u001b[')).toBe(isColored)
})

describe('a usage error exits with 2 and sends no request', () => {
  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['list', '--url', 'nonsense'], 'nonsense is not an HTTP address'],
    [['list', '--url', 'localhost:3850'], 'localhost:3850 is not an HTTP address'],
    [['list', '--token', 'first\nsecond'], 'The token has a line break or another character that'],
    [['list', '--agent', '日本'], 'The agent has a line break or another character that HTTP'],
    [['token'], 'a command is missing'],
    [['session'], 'a command is missing'],
    [['remember'], "missing required argument 'text'"],
    [['remember', 'x', '--importance', '2'], 'It must be a number from 0 to 1'],
    [['list', '--limit', 'many'], 'It must be a whole number'],
    [['forget', 'id'], 'a reason is required without a terminal'],
    [['update', 'id', '--reason', 'r'], 'nothing to change'],
    [['update', 'id', '--reason', 'r', '--pin', '--unpin'], 'cannot be used with'],
    [['remember', '-'], 'the text is empty'],
  ])('%j', async (args, error) => {
    const { code, stdout, stderr } = await runReverie(args, { env: nowhere })

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(error)
  })

  test.each([
    [['nonsense'], 'reverie --help'],
    [['--nonsense'], 'reverie --help'],
    [['remember', 'x', '--importance', '2'], 'reverie remember --help'],
    [['remember'], 'reverie remember --help'],
    [['logs', '--level', 'loud'], 'reverie logs --help'],
    [['token'], 'reverie token --help'],
    [['session'], 'reverie sessions --help'],
    [['agents', 'nonsense'], 'reverie agents --help'],
    [['agents', 'create', 'x', '--policy', 'kind'], 'reverie agents create --help'],
    [['token', 'create'], 'reverie token create --help'],
  ])('%j refers to %s', async (args, hint) => {
    const { stderr } = await runReverie([...args, '--json'], { env: nowhere })

    expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', hint })
  })

  test.each([
    ['get', 'show'],
    ['search', 'recall'],
    ['find', 'recall'],
    ['add', 'remember'],
    ['save', 'remember'],
    ['delete', 'forget'],
    ['rm', 'forget'],
    ['ls', 'list'],
    ['edit', 'update'],
    ['embeddings', 'embed'],
    ['supersede', 'replace'],
    ['remembr', 'remember'],
  ])('%s suggests %s', async (tried, intended) => {
    const { stderr } = await runReverie([tried, 'x', '--json'], { env: nowhere })

    expect(JSON.parse(stderr)).toMatchObject({
      error: `unknown command '${tried}'\n(Did you mean ${intended}?)`,
    })
  })

  test.each([
    [['bogus'], "unknown command 'bogus'"],
    [['agents', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['list', '--limt', '2'], "unknown option '--limt'\n(Did you mean --limit?)"],
    [['ecall', 'x'], "unknown command 'ecall'\n(Did you mean recall?)"],
  ])('%j suggests near names only', async (args, error) => {
    const { stderr } = await runReverie([...args, '--json'], { env: nowhere })

    expect(JSON.parse(stderr)).toMatchObject({ error })
  })

  test('in JSON with --json', async () => {
    const { stderr } = await runReverie(['nonsense', '--json'])

    expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', hint: 'reverie --help' })
  })
})

test('without a daemon it exits with 5 and names the start command', async () => {
  const { code, stdout, stderr } = await runReverie(['agents', 'list', '--json'], { env: nowhere })

  expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    error: 'no service answers at http://127.0.0.1:9',
    code: 'unreachable',
    hint: 'Start it with: reverie start',
  })
})
