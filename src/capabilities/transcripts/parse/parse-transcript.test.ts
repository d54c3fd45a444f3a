import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toContent } from '../transcript.ts'
import { parseTranscript } from './parse-transcript.ts'

const lines = (...records: readonly unknown[]) =>
  records.map((record) => JSON.stringify(record)).join('\n')
const read = async (raw: string, harness = 'some') => {
  const { turns, format } = parseTranscript(raw, { harness })
  return { content: toContent(turns), format }
}

test.each([
  [
    'a completed item',
    { type: 'item.completed', item: { type: 'agent_message', text: 'hi' } },
    'Assistant: hi',
  ],
  ['an event', { type: 'event_msg', payload: { type: 'user_message', message: 'hi' } }, 'User: hi'],
  [
    'an event of a completed item',
    {
      type: 'event_msg',
      payload: {
        type: 'item_completed',
        item: { type: 'UserMessage', content: [{ type: 'text', text: 'hi' }] },
      },
    },
    'User: hi',
  ],
  [
    'a response item',
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'hi' }],
      },
    },
    'Assistant: hi',
  ],
  ['a message', { type: 'user', message: { role: 'user', content: 'hi' } }, 'User: hi'],
  [
    'parts',
    { message: { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] } },
    'Assistant: a b',
  ],
  ['a speaker', { speaker: 'Human', text: 'hi' }, 'User: hi'],
  ['an author', { author: { role: 'assistant' }, output: 'hi' }, 'Assistant: hi'],
  ['a type that is a speaker', { type: 'user', message: 'hi' }, 'User: hi'],
  ['an unknown speaker', { role: 'narrator', content: 'hi' }, 'Unknown: hi'],
  [
    'a tool call',
    {
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'look' },
          { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
        ],
      },
    },
    'Assistant: look [tool: Bash]',
  ],
  [
    'a function call',
    { role: 'assistant', content: null, tool_calls: [{ function: { name: 'grep' } }] },
    'Assistant: [tool: grep]',
  ],
  ['line breaks', { role: 'user', content: 'a\n\n b\r\nc\u2028d' }, 'User: a b c d'],
])('parses %s', async (_, record, content) => {
  expect(await read(lines(record))).toEqual({ content, format: 'jsonl' })
})

test.each([
  [
    'a tool result',
    { message: { role: 'user', content: [{ type: 'tool_result', content: 'x' }] } },
  ],
  ['thinking', { message: { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] } }],
  ['a system message', { role: 'system', content: 'x' }],
  ['a developer', { role: 'developer', content: 'x' }],
  ['a tool result as a role', { role: 'tool_result', content: 'x' }],
  ['a tool message', { role: 'tool', content: 'x' }],
  ['metadata', { type: 'session_meta', payload: { id: 'x' } }],
  ['token counts', { type: 'event_msg', payload: { type: 'token_count', message: 'x' } }],
  ['a meta record', { isMeta: true, message: { role: 'user', content: 'x' } }],
  ['a sub-agent', { type: 'user', isSidechain: true, message: { role: 'user', content: 'x' } }],
  [
    'a summary of the harness',
    { type: 'user', isCompactSummary: true, message: { role: 'user', content: 'x' } },
  ],
  ['a file', { type: 'file-history-snapshot', snapshot: { text: 'x' } }],
])('%s contains no turn', async (_, record) => {
  expect(await read(lines(record))).toEqual({ content: '', format: 'jsonl' })
})

test('needs JSON in six of ten lines', async () => {
  const record = lines({ role: 'user', content: 'a' })
  const mixed = (records: number) =>
    [...Array(records).fill(record), ...Array(10 - records).fill('no json')].join('\n')

  expect((await read(mixed(6))).format).toBe('jsonl')
  expect((await read(mixed(5))).format).toBe('markdown')
})

test('parses a JSON document of messages', async () => {
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ]

  for (const document of [messages, { messages }])
    expect(await read(JSON.stringify(document, null, 2))).toEqual({
      content: 'User: a\nAssistant: b',
      format: 'jsonl',
    })
})

test('splits text at lines that start with a speaker', async () => {
  const raw = 'before\nUser: a\nmore\n\nHuman:b\nASSISTANT: c: d\n  Assistant: e'

  expect(await read(raw)).toEqual({
    content: 'Unknown: before\nUser: a more\nUser: b\nAssistant: c: d\nAssistant: e',
    format: 'markdown',
  })
})

test('ignores speakers quoted in injected blocks', async () => {
  const block = ['<svc-memory-context>', 'User: quoted', 'Assistant: x', '</svc-memory-context>']

  expect((await read(['User: a', ...block, 'b', 'Assistant: c'].join('\n'))).content).toBe(
    'User: a b\nAssistant: c',
  )
  expect((await read('User: a <private>\nAssistant: x\n</private>b')).content).toBe('User: a b')
  const nested = '<private>\n<private>\nAssistant: x\n</private>\nAssistant: y\n&lt;/private&gt;'
  expect((await read(`User: a ${nested}b`)).content).toBe('User: a b')
  expect((await read('User: <svc-memory>a\nUser: b <svc-memory>x</svc-memory>c')).content).toBe(
    'User: b c',
  )
  expect((await read('User: <svc-memory>a\nAssistant: b')).content).toBe('Assistant: b')
})

test.each([
  ['human client User', 'User'],
  ['assistant agent MODEL ai', 'Assistant'],
  ['narrator', 'Unknown'],
])('%s is parsed as %s', async (words, label) => {
  for (const role of words.split(' '))
    expect((await read(lines({ role, content: 'hi' }))).content).toBe(`${label}: hi`)
})

test('removes injected blocks, private spans and credentials', async () => {
  const readUser = (content: string) => read(lines({ role: 'user', content }))

  for (const name of ['svc-memory-context', 'svc-memory', 'memory-context'])
    expect((await readUser(`a<${name} hash="1">x</${name}>b`)).content).toBe('User: ab')
  expect((await readUser('a<svc-memory>x')).content).toBe('User: a')
  expect((await readUser('a<private>x</private>b')).content).toBe('User: ab')
  expect((await readUser(`key AKIA${'A'.repeat(16)} end`)).content).toBe('User: key [REDACTED] end')
  expect((await readUser('a\0b\ud800')).content).toBe('User: ab\ufffd')
})

test('parses any input without an error into one line a turn', () => {
  const value = fc.letrec((tie) => ({
    record: fc.dictionary(
      fc.constantFrom(
        'role',
        'type',
        'message',
        'content',
        'parts',
        'text',
        'item',
        'payload',
        'author',
        'tool_calls',
        'messages',
      ),
      fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          'user',
          'assistant',
          'text',
          'tool_use',
          'item.completed',
          'event_msg',
          'a\nb',
        ),
        fc.anything(),
        tie('record'),
        fc.array(tie('record'), { maxLength: 3 }),
      ),
      { maxKeys: 5 },
    ),
  })).record
  const line = fc.oneof(
    value.map((record) => JSON.stringify(record) ?? ''),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('User: x', '{"role":', '[[[[', 'null', '<svc-memory>', '\r'),
  )
  const harness = fc.constantFrom('codex', 'cursor', 'gemini', 'opencode')
  fc.assert(
    fc.property(harness, fc.array(line, { maxLength: 12 }), (harness, written) => {
      const { turns } = parseTranscript(written.join('\n'), { harness })
      for (const { text } of turns) expect(text).toMatch(/^[^\r\n]+$/)
    }),
    { numRuns: 150 },
  )
})

test('drops a turn with only injected blocks', async () => {
  const toRecord = (content: string) => ({ type: 'user', message: { role: 'user', content } })
  const command = '<command-name>/compact</command-name>\n<command-args></command-args>'

  expect((await read(lines(toRecord(command), toRecord('hi')), 'claude-code')).content).toBe(
    'User: hi',
  )
  expect((await read(`User: ${command}\nAssistant: hi`)).content).toBe('Assistant: hi')
  expect((await read('User: <system-reminder>\nUser: x\n</system-reminder>hi')).content).toBe(
    'User: hi',
  )
})

test('parses only turn records of Claude Code', async () => {
  const message = { role: 'user', content: 'hi' }
  const written = lines({ type: 'api-request-blob', message }, { type: 'user', message })

  expect((await read(written, 'claude-code')).content).toBe('User: hi')
  expect((await read(lines({ type: 'api-request-blob', message }), 'claude-code')).content).toBe('')
  expect((await read(lines(message), 'claude-code')).content).toBe('User: hi')
})
