/** What the fake provider answers, independent of its protocol. */
export interface FakeReply {
  readonly text: string
  readonly toolCalls: readonly {
    readonly id: string
    readonly name: string
    readonly args: object
  }[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheCreation: number
    readonly cost?: number
  }
}

export type Json = Readonly<Record<string, unknown>>

interface Protocol {
  matches(method: string, path: string): boolean
  isStream(path: string, body: Json): boolean
  readonly streamType: string
  whole(reply: FakeReply, body: Json): Json
  /** The parts of a stream, in the framing of the protocol. */
  frames(reply: FakeReply, body: Json): readonly string[]
  /** A part that is no JSON, in the same framing. */
  readonly badFrame: string
  error(message: string): Json
}

const words = (text: string) => text.match(/\S+\s*/g) ?? []
const sse = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const isTrue = (_: string, body: Json) => body['stream'] === true

const chat: Protocol = {
  matches: (method, path) => method === 'POST' && path.endsWith('/chat/completions'),
  isStream: isTrue,
  streamType: 'text/event-stream',
  whole: (reply, { model }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: chatMessage(reply), finish_reason: reply.finish }],
    usage: chatUsage(reply),
  }),
  frames: (reply, body) => {
    const base = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: body['model'],
    }
    const chunk = (delta: Json, finish: string | null = null) =>
      sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })
    const options = body['stream_options'] as Json | undefined
    return [
      chunk({ role: 'assistant', content: '' }),
      ...words(reply.text).map((content) => chunk({ content })),
      ...reply.toolCalls.flatMap(({ id, name, args }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...halves(JSON.stringify(args)).map((half) =>
          chunk({ tool_calls: [{ index, function: { arguments: half } }] }),
        ),
      ]),
      chunk({}, reply.finish),
      ...(options?.['include_usage']
        ? [sse({ ...base, choices: [], usage: chatUsage(reply) })]
        : []),
      'data: [DONE]\n\n',
    ]
  },
  badFrame: 'data: {"choices": [nonsense\n\n',
  error: (message) => ({ error: { message, type: 'fake_error', code: null } }),
}

function chatMessage({ text, toolCalls }: FakeReply): Json {
  const calls = toolCalls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    role: 'assistant',
    content: text || null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function chatUsage({ usage }: FakeReply): Json {
  const { input, output, cacheRead, cost } = usage
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    ...(cost !== undefined && { cost }),
  }
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

const anthropicStops = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}

const messages: Protocol = {
  matches: (method, path) => method === 'POST' && path.endsWith('/messages'),
  isStream: isTrue,
  streamType: 'text/event-stream',
  whole: (reply, body) => ({
    ...messageHead(reply, body),
    content: blocks(reply, body),
    stop_reason: anthropicStops[reply.finish],
  }),
  frames: (reply, body) => {
    const event = (type: string, data: Json) => `event: ${type}\n${sse({ type, ...data })}`
    const { output_tokens, ...input } = anthropicUsage(reply)
    const start = { ...messageHead(reply, body), usage: { ...input, output_tokens: 1 } }
    return [
      event('message_start', { message: start }),
      ...blocks(reply, body).flatMap((block, index) => {
        const isText = block['type'] === 'text'
        const empty = isText ? { ...block, text: '' } : { ...block, input: {} }
        const deltas = isText
          ? words(String(block['text'])).map((text) => ({ type: 'text_delta', text }))
          : halves(JSON.stringify(block['input'])).map((partial_json) => ({
              type: 'input_json_delta',
              partial_json,
            }))
        return [
          event('content_block_start', { index, content_block: empty }),
          ...deltas.map((delta) => event('content_block_delta', { index, delta })),
          event('content_block_stop', { index }),
        ]
      }),
      event('message_delta', {
        delta: { stop_reason: anthropicStops[reply.finish], stop_sequence: null },
        usage: { output_tokens },
      }),
      event('message_stop', {}),
    ]
  },
  badFrame: 'event: content_block_delta\ndata: {"type": nonsense\n\n',
  error: (message) => ({ type: 'error', error: { type: 'fake_error', message } }),
}

function messageHead(reply: FakeReply, { model }: Json): Json {
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model }
  return {
    ...base,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: anthropicUsage(reply),
  }
}

function anthropicUsage({ usage }: FakeReply) {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheCreation,
  }
}

/** Without native structured output, a client asks for JSON by a tool of this name. */
function blocks({ text, toolCalls }: FakeReply, body: Json): readonly Json[] {
  const tools = (body['tools'] ?? []) as readonly Json[]
  const asTool = tools.length === 1 && tools[0]?.['name'] === 'json'
  if (asTool) return [{ type: 'tool_use', id: 'toolu_json', name: 'json', input: JSON.parse(text) }]
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...toolCalls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ]
}

const ollama: Protocol = {
  matches: (method, path) => method === 'POST' && path.endsWith('/api/chat'),
  isStream: (_, body) => body['stream'] !== false,
  streamType: 'application/x-ndjson',
  whole: (reply, { model }) => ({ model, ...ollamaEnd(reply, reply.text) }),
  frames: (reply, { model }) => [
    ...words(reply.text).map((content) =>
      line({ model, message: { role: 'assistant', content }, done: false }),
    ),
    line({ model, ...ollamaEnd(reply, '') }),
  ],
  badFrame: '{"message": nonsense\n',
  error: (message) => ({ error: message }),
}

const line = (value: Json) => `${JSON.stringify(value)}\n`

function ollamaEnd({ toolCalls, finish, usage }: FakeReply, content: string): Json {
  const calls = toolCalls.map(({ name, args }) => ({ function: { name, arguments: args } }))
  return {
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
    done: true,
    done_reason: finish === 'length' ? 'length' : 'stop',
    total_duration: 12_000_000,
    prompt_eval_count: usage.input,
    eval_count: usage.output,
  }
}

const geminiStops = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
}

const gemini: Protocol = {
  matches: (method, path) => method === 'POST' && /:(stream)?generateContent$/i.test(path),
  isStream: (path) => path.endsWith(':streamGenerateContent'),
  streamType: 'text/event-stream',
  whole: (reply) => candidate(reply, geminiParts(reply), true),
  frames: (reply) => {
    const parts = geminiParts({ ...reply, text: '' })
    return [
      ...words(reply.text).map((text) => sse(candidate(reply, [{ text }], false))),
      sse(candidate(reply, parts, true)),
    ]
  },
  badFrame: 'data: {"candidates": nonsense\n\n',
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
}

function geminiParts({ text, toolCalls }: FakeReply): readonly Json[] {
  const calls = toolCalls.map(({ name, args }) => ({ functionCall: { name, args } }))
  return text || calls.length === 0 ? [{ text }, ...calls] : calls
}

function candidate({ finish, usage }: FakeReply, parts: readonly Json[], isLast: boolean): Json {
  const content = { role: 'model', parts }
  if (!isLast) return { candidates: [{ content, index: 0 }] }
  return {
    candidates: [{ content, index: 0, finishReason: geminiStops[finish] }],
    usageMetadata: {
      promptTokenCount: usage.input + usage.cacheRead,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.cacheRead + usage.output,
    },
  }
}

export const protocols: readonly Protocol[] = [chat, messages, ollama, gemini]
