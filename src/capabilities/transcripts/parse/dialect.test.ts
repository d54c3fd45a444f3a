import { expect, test } from 'vitest'
import { toContent } from '../transcript.ts'
import { parseTranscript } from './parse-transcript.ts'

const lines = (...records: readonly unknown[]) =>
  records.map((record) => JSON.stringify(record)).join('\n')
const read = async (raw: string, harness: string) => {
  const { turns, format } = parseTranscript(raw, { harness })
  return { content: toContent(turns), format }
}

test('deduplicates the turns of Codex', async () => {
  const response = (role: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
  })
  const event = (type: string, message: string) => ({
    type: 'event_msg',
    payload: { type, message },
  })
  const done = { type: 'item.completed', item: { type: 'agent_message', text: 'b' } }
  const input = [response('user', 'a'), event('user_message', 'a'), response('assistant', 'b')]

  expect((await read(lines(...input, event('agent_message', 'b'), done), 'codex')).content).toBe(
    'User: a\nAssistant: b',
  )
  expect((await read(lines(...input, event('agent_message', 'b')), 'codex')).content).toBe(
    'User: a\nAssistant: b',
  )
})

const inTags = (words: string) =>
  `<open_files>a.ts</open_files>\n<user_query>\n${words}\n</user_query>`

test('reads the outer speaker and unwraps user queries of Cursor', async () => {
  const toRecord = (role: string, ...content: unknown[]) => ({ role, message: { content } })
  const input = lines(
    toRecord('user', { type: 'text', text: inTags('fix it') }),
    toRecord(
      'assistant',
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: 'Done.' },
      { type: 'tool_use', name: 'Grep', input: { pattern: 'x' } },
    ),
    { type: 'turn_ended', status: 'success' },
    { role: 'assistant', message: { content: 'Bye.' } },
  )

  expect((await read(input, 'cursor')).content).toBe(
    'User: fix it\nAssistant: Done. [tool: Grep]\nAssistant: Bye.',
  )
})

test('drops reasoning and tool results from the older Cursor format', async () => {
  const input = [
    'user:',
    inTags('fix it'),
    '',
    'assistant:',
    '[Thinking] x',
    'I look.',
    '[Tool call] Grep',
    '  pattern: x',
    '[Tool result] Grep',
    'x',
    '',
    'x',
    '',
    'assistant:',
    'Done.',
  ].join('\n')

  expect(await read(input, 'cursor')).toEqual({
    content: 'User: fix it\nAssistant: I look. [tool: Grep]\nAssistant: Done.',
    format: 'markdown',
  })
})

const geminiMessages = [
  { id: '1', type: 'user', content: [{ text: 'why' }] },
  {
    id: '2',
    type: 'gemini',
    content: 'Because.',
    thoughts: [{ description: 'x' }],
    toolCalls: [{ name: 'read_file', args: { path: 'x' }, result: [{ text: 'x' }] }],
  },
  { id: '3', type: 'info', content: 'x' },
  { id: '4', type: 'gemini', content: { parts: [{ text: 'x', thought: true }] } },
]

test('parses a Gemini document', async () => {
  const document = { sessionId: 's', projectHash: 'x', messages: geminiMessages }

  for (const indent of [0, 2])
    expect(await read(JSON.stringify(document, null, indent), 'gemini')).toEqual({
      content: 'User: why\nAssistant: Because. [tool: read_file]',
      format: 'jsonl',
    })
})

test('parses the whole messages of a document without its beginning', async () => {
  const document = { sessionId: 's', messages: [...geminiMessages, ...geminiMessages] }
  const lines = JSON.stringify(document, null, 2).split('\n')

  const cut = lines.slice(lines.length / 2 - 8).join('\n')

  expect((await read(cut, 'gemini')).content).toBe(
    'User: why\nAssistant: Because. [tool: read_file]',
  )
  expect((await read('User: a\n    {\n    b\n    }', 'gemini')).content).toBe('User: a { b }')
})

test('replays the Gemini log with replacements and rewinds', async () => {
  const [question, answer] = geminiMessages
  const opened = { sessionId: 's', projectHash: 'x', kind: 'main' }
  const set = { $set: { lastUpdated: 'x' } }
  const early = { id: '2', type: 'gemini', content: 'Be' }
  const wrong = { id: '5', type: 'user', content: 'x' }
  const log = [opened, question, set, early, answer, wrong, { $rewindTo: '5' }]
  const content = 'User: why\nAssistant: Because. [tool: read_file]'

  expect((await read(lines(...log), 'gemini-cli')).content).toBe(content)
  expect((await read(lines(...log, { $set: { messages: [question] } }), 'gemini')).content).toBe(
    'User: why',
  )
  expect((await read(lines(...log, { $rewindTo: 'unknown' }), 'gemini')).content).toBe('')
})

test('reads the speaker of OpenCode messages', async () => {
  const messages = [
    {
      info: { id: 'm1', role: 'user' },
      parts: [
        { type: 'text', text: 'why' },
        { type: 'text', text: 'x', synthetic: true },
      ],
    },
    {
      info: { id: 'm2', role: 'assistant' },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'x' },
        { type: 'tool', tool: 'bash', state: { output: 'x' } },
        { type: 'text', text: 'Because.' },
      ],
    },
  ]

  for (const input of [
    JSON.stringify({ info: { id: 's' }, messages }, null, 2),
    lines(...messages),
  ])
    expect((await read(input, 'opencode')).content).toBe(
      'User: why\nAssistant: [tool: bash] Because.',
    )
})
