import { expect, test } from 'vitest'
import type { ModelMessage, ModelTool, TargetPart } from './target.ts'
import {
  callOf,
  collect,
  credential,
  httpExecutors,
  libraryExecutors,
  prompt,
  startUpstream,
  targetAt,
  textOfParts,
} from './targets.fixture.ts'

const weather: ModelTool = {
  name: 'read_weather',
  description: 'Reads the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const calls = [
  { id: 'call_1', name: 'read_weather', args: { city: 'Oslo' } },
  { id: 'call_2', name: 'read_weather', args: { city: 'Rome' } },
]
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test.each(httpExecutors)('%s answers a prompt, with its usage', async (executor) => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, executor)
  const reply = await target.complete(callOf())

  expect(reply).toMatchObject({
    text: 'Hello from the model.',
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 10, outputTokens: 5 },
  })
  expect(upstream.requests).toHaveLength(1)
  expect(JSON.stringify(upstream.requests[0]?.headers)).toContain(credential)
  expect(JSON.stringify(upstream.requests[0]?.body)).toContain(prompt)
})

test.each([
  { reported: { input: -5, output: 1e18 }, read: { inputTokens: null, outputTokens: null } },
  { reported: { input: 1.5, output: 0 }, read: { inputTokens: 2, outputTokens: 0 } },
])('impossible figures of the usage count as not reported', async ({ reported, read }) => {
  const upstream = await startUpstream()
  upstream.reply({ usage: { ...reported, cacheRead: 0, cacheCreation: 0 } })
  const target = await targetAt(upstream, 'openai-compatible')

  expect((await target.complete(callOf())).usage).toMatchObject(read)
})

test.each(httpExecutors)('%s streams a reply and ends with its usage', async (executor) => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, executor)
  const parts = await collect(target.stream?.(callOf()))

  expect(textOfParts(parts)).toBe('Hello from the model.')
  expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(2)
  expect(parts.at(-1)).toMatchObject({
    type: 'finish',
    finishReason: 'stop',
    usage: { inputTokens: 10, outputTokens: 5 },
  })
  await expect.poll(() => upstream.active()).toBe(0)
})

test.each(libraryExecutors)('%s returns parallel tool calls', async (executor) => {
  const upstream = await startUpstream()
  upstream.reply({ text: '', toolCalls: calls, finish: 'tool_calls' })
  const target = await targetAt(upstream, executor)
  const call = callOf({ tools: [weather] })
  const reply = await target.complete(call)
  const parts = await collect(target.stream?.(call))

  expect(reply.finishReason).toBe('tool_calls')
  expect(reply.toolCalls.map(({ toolName }) => toolName)).toEqual(['read_weather', 'read_weather'])
  expect(reply.toolCalls.map((one) => JSON.parse(one.arguments))).toEqual(
    calls.map(({ args }) => args),
  )
  expect(new Set(reply.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(2)
  expect(parts.at(-1)).toMatchObject({ finishReason: 'tool_calls' })
  expect([0, 1].map((index) => joinCall(parts, index))).toEqual([
    { toolName: 'read_weather', args: { city: 'Oslo' } },
    { toolName: 'read_weather', args: { city: 'Rome' } },
  ])
})

function joinCall(parts: readonly TargetPart[], index: number) {
  const deltas = parts.flatMap((part) =>
    part.type === 'tool-call-delta' && part.index === index ? [part] : [],
  )
  expect(deltas[0]?.toolCallId).toEqual(expect.any(String))
  const args = JSON.parse(deltas.map(({ argumentsDelta }) => argumentsDelta).join(''))
  return { toolName: deltas[0]?.toolName, args }
}

const conversation: readonly ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How warm is it in Oslo?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'read_weather',
        arguments: '{"city":"Oslo"}',
      },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call_1', toolName: 'read_weather', result: '7 degrees' },
    ],
  },
  { role: 'system', content: 'Use Celsius.' },
  { role: 'user', content: 'And now?' },
]

test.each(libraryExecutors)(
  '%s receives tool calls, results and late system messages',
  async (executor) => {
    const upstream = await startUpstream()
    const target = await targetAt(upstream, executor)
    const { text } = await target.complete(callOf({ messages: conversation, tools: [weather] }))
    const sent = JSON.stringify(upstream.requests[0]?.body)

    expect(text).toBe('Hello from the model.')
    for (const words of ['Be brief.', 'Use Celsius.', 'I look.', 'Oslo', '7 degrees', 'And now?'])
      expect(sent).toContain(words)
  },
)

test.each(libraryExecutors)('%s returns JSON for a schema', async (executor) => {
  const upstream = await startUpstream()
  upstream.reply({ text: '{"city":"Oslo"}' })
  const target = await targetAt(upstream, executor)
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  }
  const call = callOf({ responseFormat: { type: 'json', name: 'place', schema } })
  const { text, finishReason } = await target.complete(call)
  const parts = await collect(target.stream?.(call))

  expect(JSON.parse(text)).toEqual({ city: 'Oslo' })
  expect(JSON.parse(textOfParts(parts))).toEqual({ city: 'Oslo' })
  expect(finishReason).toBe('stop')
  expect(JSON.stringify(upstream.requests[0]?.body)).toMatch(/"city":\{"type":"(string|STRING)"\}/)
  expect(upstream.requests).toHaveLength(2)
})

test.each(libraryExecutors)('%s receives an image', async (executor) => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, executor)
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image', mediaType: 'image/png', data: pixel },
  ] as const
  await target.complete(callOf({ messages: [{ role: 'user', content }] }))

  expect(JSON.stringify(upstream.requests[0]?.body)).toContain(pixel)
})

test.each(libraryExecutors)('%s reports a reply that was cut by its maximum', async (executor) => {
  const upstream = await startUpstream()
  upstream.reply({ finish: 'length' })
  const target = await targetAt(upstream, executor)
  const call = callOf({ maxTokens: 3 })

  expect(await target.complete(call)).toMatchObject({ finishReason: 'length' })
  expect((await collect(target.stream?.(call))).at(-1)).toMatchObject({ finishReason: 'length' })
})

test.each(['openai-compatible', 'openai', 'google'] as const)(
  '%s reports filtered content',
  async (executor) => {
    const upstream = await startUpstream()
    upstream.reply({ finish: 'content_filter' })
    const target = await targetAt(upstream, executor)

    expect(await target.complete(callOf())).toMatchObject({ finishReason: 'content_filter' })
  },
)

test.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)(
  '%s counts cached tokens apart from the input',
  async (executor) => {
    const upstream = await startUpstream()
    upstream.reply({ usage: { input: 10, output: 5, cacheRead: 7, cacheCreation: 0 } })
    const target = await targetAt(upstream, executor)

    expect((await target.complete(callOf())).usage).toMatchObject({
      inputTokens: 10,
      cacheReadTokens: 7,
      outputTokens: 5,
    })
  },
)

test('the settings of a call are sent', async () => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, 'openai-compatible')
  await target.complete(
    callOf({
      maxTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      stop: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      reasoningEffort: 'low',
      tools: [weather],
      toolChoice: { tool: 'read_weather' },
      parallelToolCalls: false,
    }),
  )

  expect(upstream.requests[0]?.body).toMatchObject({
    model: 'model-a',
    max_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END'],
    seed: 7,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    reasoning_effort: 'low',
    tool_choice: { type: 'function', function: { name: 'read_weather' } },
    parallel_tool_calls: false,
  })
})

test('openrouter reports the cost of a call', async () => {
  const upstream = await startUpstream()
  const usage = { input: 10, output: 5, cacheRead: 0, cacheCreation: 0, cost: 0.0125 }
  upstream.reply({ usage })
  const target = await targetAt(upstream, 'openrouter')

  expect((await target.complete(callOf())).usage.totalCost).toBe(0.0125)
  expect(upstream.requests[0]?.body).toMatchObject({ usage: { include: true } })
})

test('ollama receives the context window', async () => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, 'ollama')
  const { usage } = await target.complete(callOf({ contextWindow: 8_192, maxTokens: 20 }))

  expect(upstream.requests[0]?.body).toMatchObject({ options: { num_ctx: 8_192, num_predict: 20 } })
  expect(usage.totalDurationMs).toBe(12)
})

test('ollama receives no tools if none may be used', async () => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, 'ollama')
  await target.complete(callOf({ tools: [weather], toolChoice: 'none' }))

  expect(upstream.requests[0]?.body['tools']).toBeUndefined()
})

test.each(httpExecutors)('%s sends no credential header without a credential', async (executor) => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, executor, { credential: async () => undefined })
  await target.complete(callOf())
  const headers = upstream.requests[0]?.headers ?? {}

  for (const name of ['authorization', 'x-api-key', 'x-goog-api-key'])
    expect(headers[name]).toBeUndefined()
})

test.each(libraryExecutors)('%s masks its credential in a reply', async (executor) => {
  const upstream = await startUpstream()
  upstream.reply({ text: `The key is ${credential} indeed.` })
  const target = await targetAt(upstream, executor)
  const { text } = await target.complete(callOf())
  const streamed = textOfParts(await collect(target.stream?.(callOf())))

  expect(text).toBe('The key is [credential] indeed.')
  expect(streamed).toBe(text)
})
