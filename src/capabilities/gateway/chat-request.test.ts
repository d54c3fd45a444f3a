import { expect, test } from 'vitest'
import { toChatRequest } from './chat-request.ts'
import { chatBody } from './schemas.ts'

const read = (fields: object, headers = {}) => {
  const body = chatBody.parse({ messages: [{ role: 'user', content: 'Hello' }], ...fields })
  return toChatRequest({ body, headers, agentId: 'ann' })
}

test.each([
  ['max_completion_tokens wins', { max_tokens: 5, max_completion_tokens: 7 }, { maxTokens: 7 }],
  ['0 tokens are no limit', { max_tokens: 0 }, { maxTokens: undefined }],
  ['tokens are clamped', { max_tokens: 1e9 }, { maxTokens: 100_000 }],
  ['a negative number counts as none', { max_tokens: -5 }, { maxTokens: undefined }],
  ['one stop sequence', { stop: 'END' }, { stop: ['END'] }],
  ['no stop sequence', { stop: [] }, { stop: undefined }],
  ['null is absent', { temperature: null, tools: null, stream: null }, { temperature: undefined }],
  [
    'a JSON object',
    { response_format: { type: 'json_object' } },
    { responseFormat: { type: 'json' } },
  ],
  [
    'a chosen tool',
    { tool_choice: { type: 'function', function: { name: 'read' } } },
    { toolChoice: { tool: 'read' } },
  ],
])('%s', (_, fields, prompt) => {
  expect(read(fields).prompt).toMatchObject(prompt)
})

const tools = [{ type: 'function', function: { name: 'read' } }]
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

test.each([
  ['nothing', {}, {}],
  ['tools', { tools }, { requireTools: true }],
  ['no tools, if none may be used', { tools, tool_choice: 'none' }, {}],
  ['streaming', { stream: true }, { requireStreaming: true }],
  ['images', { messages: [{ role: 'user', content: [image] }] }, { requireMultimodal: true }],
])('a request requires %s', (_, fields, required) => {
  expect(read(fields).route).toMatchObject({
    requireTools: false,
    requireStreaming: false,
    requireMultimodal: false,
    ...required,
  })
})

test('roles are mapped, blank messages are dropped, and others count as the user', () => {
  const { prompt } = read({
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'assistant', content: null },
      { role: 'critic', content: 'Hello' },
      { content: [{ type: 'refusal', refusal: 'No.' }] },
    ],
  })

  expect(prompt.messages).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'user', content: [{ type: 'text', text: 'No.' }] },
  ])
})

test('the preview is the last message of the user', () => {
  const messages = [
    { role: 'user', content: 'First' },
    { role: 'user', content: [{ type: 'text', text: ` ${'x'.repeat(5_000)}` }] },
    { role: 'assistant', content: 'Later' },
  ]

  expect(read({ messages }).route.promptPreview).toBe('x'.repeat(4_000))
})
