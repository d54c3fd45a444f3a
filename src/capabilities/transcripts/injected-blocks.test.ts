import { expect, test } from 'vitest'
import { dropInjected, dropInjectedTurns } from './injected-blocks.ts'

test.each([
  'svc-memory-context',
  'svc-memory',
  'memory-context',
  'svc-plugin-context',
  'system-reminder',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'command-name',
  'command-message',
  'command-args',
  'environment_context',
  'user_instructions',
  'session_context',
  'hook_context',
])('drops the block %s and preserves the surrounding text', (name) => {
  expect(dropInjected(`a<${name} x="1">b\n<c></${name}>d<${name}>e</${name}>f`)).toBe('adf')
})

test('drops escaped fences of this service', () => {
  const fence = '&lt;svc-memory-context&gt;\nUser: x\n&lt;/svc-memory-context&gt;'

  expect(dropInjected(`a ${fence}b`)).toBe('a b')
  expect(dropInjected(`<hook_context>${fence}</hook_context>\n\nb`)).toBe('\n\nb')
})

test('drops project instructions with their heading', () => {
  const text =
    '# AGENTS.md instructions for /home/ada/barn\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>'

  expect(dropInjected(`${text}hello`)).toBe('hello')
  expect(dropInjected(`${text.replaceAll(/\n+/g, ' ')} hello`)).toBe(' hello')
  expect(dropInjected('keep <INSTRUCTIONS>these</INSTRUCTIONS>')).toContain('these')
})

test('drops an unclosed block to the end only if it is open-ended', () => {
  expect(dropInjected('a <svc-memory-context> b')).toBe('a ')
  expect(dropInjected('a <system-reminder> b')).toBe('a ')
  expect(dropInjected('what is <command-name> for?')).toBe('what is <command-name> for?')
  expect(dropInjected('<command-name>x</command-name> what is <command-name> for?')).toBe(
    ' what is <command-name> for?',
  )
})

test('handles many opening tags in linear time', () => {
  const opened = '<command-name>'.repeat(100_000)

  expect(dropInjected(opened)).toBe(opened)
  expect(dropInjected(`${opened}</command-name>`)).toBe('')
})

test('drops empty turns and preserves the truncation mark', () => {
  const content =
    '[truncated]\nUser: <hook_context>x</hook_context> a\nUser: <hook_context>x</hook_context>'

  expect(dropInjectedTurns(content)).toBe('[truncated]\nUser: a')
  expect(dropInjectedTurns('User: a  b\nAssistant: <b>')).toBe('User: a  b\nAssistant: <b>')
})
