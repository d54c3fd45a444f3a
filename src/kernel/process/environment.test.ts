import { expect, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { readEnvironment, readVariables } from '../config/environment.ts'
import { commandEnvironment, harnessEnvironment, processSettings } from './environment.ts'

const variablesOf = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'x']))
const namesOf = (variables: object) => Object.keys(variables).toSorted()

const loaders = variablesOf('LD_PRELOAD DYLD_LIBRARY_PATH NODE_OPTIONS BASH_ENV PYTHONPATH')
const basic = variablesOf(
  'PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TERM TZ TMPDIR XDG_CONFIG_HOME XDG_RUNTIME_DIR ' +
    'HTTP_PROXY https_proxy NO_PROXY all_proxy',
)
const service = variablesOf('SVC_TOKEN SVC_DATABASE_URL SVC_PATH')
const markers = variablesOf(
  'CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID CODEX_SANDBOX ' +
    'CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID OPENCODE OPENCODE_PID GEMINI_CLI CURSOR_AGENT ' +
    'CURSOR_TRACE_ID',
)
const own = variablesOf(
  'OPENAI_API_KEY CODEX_HOME CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK ' +
    'OPENCODE_CONFIG EDITOR',
)
const all = { ...loaders, ...basic, ...service, ...markers, ...own }

test('a command receives basic variables only', () => {
  expect(commandEnvironment(all, [])).toEqual(basic)
})

test('a command receives the variables that process.pass names, but no loader', () => {
  const pass = ['OPENAI_API_KEY', 'LD_PRELOAD', 'ABSENT']

  expect(namesOf(commandEnvironment(all, pass))).toEqual(namesOf({ ...basic, OPENAI_API_KEY: 'x' }))
})

test('an agent CLI receives all variables but loaders, session markers and those of the service', () => {
  const session = { agentId: 'ann', daemonUrl: 'http://127.0.0.1:3850' }

  expect(harnessEnvironment(all, session)).toEqual({
    ...basic,
    ...own,
    SVC_NO_HOOKS: '1',
    SVC_AGENT_ID: 'ann',
    SVC_DAEMON_URL: 'http://127.0.0.1:3850',
  })
})

test('the variables of the daemon are read as texts', () => {
  expect(readVariables()).toMatchObject({ PATH: expect.stringContaining('/') })
})

test.each([
  ['process: { pass: [MODEL_KEY, https_proxy] }', ['MODEL_KEY', 'https_proxy']],
  ['', []],
])('settings %j pass %j', (text, pass) => {
  const file = { environment: readEnvironment({}), file: 'agent.yaml', text }

  expect(parseConfig(file, [processSettings]).sections.get('process')).toEqual({ pass })
})

test.each(['A B', 'A=1', '', '1A', 'A\u0000'])('%j is not the name of a variable', (name) => {
  expect(processSettings.schema.safeParse({ pass: [name] }).success).toBe(false)
})
