import { expect, test } from 'vitest'
import {
  detectListFormat,
  detectRecordFormat,
  listFormats,
  sessionFormats,
  toExportLine,
} from './index.ts'

const node = (id: string, parent: string | null, role: string, ...parts: unknown[]) => ({
  [id]: { id, parent, message: { author: { role }, content: { content_type: 'text', parts } } },
})

test('of a ChatGPT tree the current branch is read, and the others are counted', () => {
  const export_ = {
    conversation_id: 'c1',
    create_time: 1_700_000_000.5,
    current_node: 'd',
    mapping: {
      root: { id: 'root', parent: null, message: null },
      ...node('a', 'root', 'system', ''),
      ...node('b', 'a', 'user', 'Where is the key?', { image: 1 }),
      ...node('c', 'b', 'assistant', 'An answer that was replaced.'),
      ...node('d', 'b', 'assistant', 'Behind the door.'),
    },
  }

  expect(detectListFormat(export_)).toBe('chatgpt')
  expect(listFormats.chatgpt(export_)).toEqual({
    id: 'c1',
    project: null,
    timestamp: '2023-11-14T22:13:20.500Z',
    omitted: 1,
    messages: [
      { role: 'user', content: 'Where is the key?' },
      { role: 'assistant', content: 'Behind the door.' },
    ],
  })
})

test('a tree whose nodes repeat or are missing ends', () => {
  const mapping = { ...node('a', 'b', 'user', 'x'), ...node('b', 'a', 'user', 'y') }
  const about = { id: 'c1', create_time: 1, mapping }

  expect(listFormats.chatgpt({ ...about, current_node: 'a' })?.messages).toHaveLength(2)
  expect(listFormats.chatgpt({ ...about, current_node: 'none' })).toBeUndefined()
  for (const odd of [null, 7, [], {}, { mapping: 7 }, { id: 'x', mapping: { a: null } }])
    expect(listFormats.chatgpt(odd)).toBeUndefined()
})

test('a Claude export is read from its texts or its blocks', () => {
  const export_ = {
    uuid: 'u1',
    created_at: '2025-01-02T03:04:05.000000Z',
    chat_messages: [
      { sender: 'human', text: 'Hello' },
      {
        sender: 'assistant',
        text: '',
        content: [{ type: 'text', text: 'Hi' }, { type: 'tool_use' }],
      },
      { sender: 'assistant', text: '', content: [] },
    ],
  }

  expect(detectListFormat(export_)).toBe('claude')
  expect(listFormats.claude(export_)).toMatchObject({
    id: 'u1',
    timestamp: '2025-01-02T03:04:05.000Z',
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ],
  })
})

test('a session file of Claude Code has its turns and its folder', () => {
  const about = { sessionId: 's1', cwd: 'garden', timestamp: '2025-01-02T03:04:05.000Z' }
  const records = [
    { type: 'summary', summary: 'x' },
    { ...about, type: 'user', message: { role: 'user', content: 'Prune the fern' } },
    { ...about, type: 'user', isMeta: true, message: { content: 'note' } },
    { ...about, type: 'assistant', message: { content: [{ type: 'text', text: 'Done' }] } },
    { ...about, type: 'user', message: { content: [{ type: 'tool_result', content: 'x' }] } },
  ]

  expect(detectRecordFormat(records)).toBe('claude-code')
  expect(sessionFormats['claude-code'](records, 'file')).toMatchObject({
    id: 's1',
    project: 'garden',
    messages: [
      { role: 'user', content: 'Prune the fern' },
      { role: 'assistant', content: 'Done' },
    ],
  })
})

test('a session file of Codex has its messages once', () => {
  const say = (role: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
  })
  const records = [
    { type: 'session_meta', payload: { id: 'c7', timestamp: '2025-01-02T03:04:05Z', cwd: 'moss' } },
    say('user', '<environment_context>x</environment_context>'),
    say('user', 'Water the moss'),
    { type: 'event_msg', payload: { type: 'user_message', message: 'Water the moss' } },
    say('assistant', 'Watered'),
  ]

  expect(detectRecordFormat(records)).toBe('codex')
  expect(sessionFormats.codex(records, 'file')).toMatchObject({
    id: 'c7',
    project: 'moss',
    messages: [
      { role: 'user', content: 'Water the moss' },
      { role: 'assistant', content: 'Watered' },
    ],
  })
})

test('a session file of Gemini is one document', () => {
  const document = {
    sessionId: 'g1',
    startTime: '2025-01-02T03:04:05Z',
    messages: [
      { type: 'user', content: 'Hello' },
      { type: 'gemini', content: 'Hi' },
    ],
  }

  expect(detectRecordFormat([document])).toBe('gemini')
  const read = sessionFormats.gemini([document], 'file')
  expect(read?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  const line = JSON.parse(
    toExportLine(read as NonNullable<typeof read>, { from: 'gemini', agentId: 'ada' }),
  )
  expect(line).toMatchObject({ session_key: 'gemini:g1', message_count: 2, agent_id: 'ada' })
  expect(detectRecordFormat([line])).toBe('svc')
})
