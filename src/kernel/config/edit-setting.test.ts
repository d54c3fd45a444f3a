import { expect, test } from 'vitest'
import { editSetting } from './edit-setting.ts'
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
