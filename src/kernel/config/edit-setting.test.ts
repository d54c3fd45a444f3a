import { expect, test } from 'vitest'
import { editSetting } from './edit-setting.ts'
import { removeSetting } from './remove-setting.ts'
import { ConfigError } from './workspace.ts'

const pause = (text: string, value = true) =>
  editSetting(text, ['memory', 'pipelineV2', 'paused'], value)

test.each([
  ['an empty file', '', 'memory:\n  pipelineV2:\n    paused: true\n'],
  ['a comment alone', '# mine', '# mine\nmemory:\n  pipelineV2:\n    paused: true\n'],
  [
    'another section',
    '# mine\nauth:   { mode: local } # how\n',
    '# mine\nmemory:\n  pipelineV2:\n    paused: true\nauth:   { mode: local } # how\n',
  ],
  [
    'a section without the flag',
    'memory:\n    pipelineV2: # why\n        enabled: true\n',
    'memory:\n    pipelineV2: # why\n        paused: true\n        enabled: true\n',
  ],
  [
    'the flag with a comment',
    'memory:\n  pipelineV2:\n    paused:  false   # mine\n    enabled: true\n',
    'memory:\n  pipelineV2:\n    paused:  true   # mine\n    enabled: true\n',
  ],
  [
    'flow style',
    'memory: { pipelineV2: { enabled: true } }\n',
    'memory: { pipelineV2: { paused: true, enabled: true } }\n',
  ],
  ['an empty flow section', 'memory: {}\n', 'memory: { pipelineV2: { paused: true } }\n'],
  [
    'lines of Windows',
    'memory:\r\n  pipelineV2:\r\n    enabled: true\r\n',
    'memory:\r\n  pipelineV2:\r\n    paused: true\r\n    enabled: true\r\n',
  ],
])('sets a value and leaves all other bytes in place: %s', (_, before, after) => {
  expect(pause(before)).toBe(after)
})

test('an empty section gets the value, and comments stay', () => {
  const edited = pause('# mine\nmemory:\nauth:\n  mode: local # how\n')

  expect(edited).toContain('paused: true')
  expect(edited).toContain('# mine')
  expect(edited).toContain('# how')
})

test.each(['memory: [', 'memory: 1\n', 'memory: { pipelineV2: text }\n'])(
  'a text that has no place for the value is refused: %s',
  (text) => {
    expect(() => pause(text)).toThrow(ConfigError)
  },
)

test('a second edit returns to the first text', () => {
  const text = '# mine\nmemory:\n  pipelineV2:\n    paused: false # why\n'

  expect(pause(pause(text), false)).toBe(text)
})

const commented = `# mine
outbound: # why
  # the model server
  allow:
    - http://127.0.0.1:1 # old
    - http://127.0.0.1:2
  # the end
  timeoutMs: 5000 # slow
search: { top_k: 9, alpha: 0.5 } # quick
`

test.each([
  [
    'a block list',
    ['outbound', 'allow'] as const,
    ['http://127.0.0.1:3'],
    commented.replace(
      'allow:\n    - http://127.0.0.1:1 # old\n    - http://127.0.0.1:2\n',
      'allow: ["http://127.0.0.1:3"]\n',
    ),
  ],
  [
    'a missing map',
    ['auth', 'rateLimits'] as const,
    { admin: { max: 5 } },
    commented.replace('outbound:', 'auth:\n  rateLimits: {"admin":{"max":5}}\noutbound:'),
  ],
])('sets %s', (_, path, value, after) => {
  expect(editSetting(commented, path, value)).toBe(after)
})

test.each([
  ['a value with its comment', 'outbound.timeoutMs', '  timeoutMs: 5000 # slow\n', ''],
  [
    'a block',
    'outbound.allow',
    '  allow:\n    - http://127.0.0.1:1 # old\n    - http://127.0.0.1:2\n',
    '',
  ],
  ['the first of a flow section', 'search.top_k', 'top_k: 9, ', ''],
  ['the last of a flow section', 'search.alpha', ', alpha: 0.5', ''],
  ['no missing key', 'auth.mode', '', ''],
])('takes out %s and leaves all other bytes in place', (_, key, part, rest) => {
  expect(removeSetting(commented, key.split('.'))).toBe(commented.replace(part, rest))
})

test('a section without a setting goes with its last one', () => {
  const text = '# mine\nmemory:\n  pipelineV2:\n    enabled: false\nauth:\n  mode: team # how\n'

  expect(removeSetting(text, ['memory', 'pipelineV2', 'enabled'])).toBe(
    '# mine\nauth:\n  mode: team # how\n',
  )
  expect(removeSetting('# mine\nauth:\n  mode: team\n', ['auth', 'mode'])).toBe('# mine\n')
})
