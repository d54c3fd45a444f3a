type Fields = Readonly<Record<string, unknown>>

export type ModelReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: object }

interface Tool {
  readonly name: string
  /** Codex groups the tools of an MCP server. */
  readonly namespace?: string
}

/** One model protocol, as data. */
export interface Protocol {
  readonly name: string
  readonly path: RegExp
  readonly listTools: (body: Fields) => readonly Tool[]
  /** The events of a stream; the last one is the reply without streaming. */
  readonly render: (reply: ModelReply) => readonly StreamEvent[]
}

export interface StreamEvent {
  readonly event?: string
  readonly data: unknown
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : [])
const nameOf = (value: unknown): Tool => ({ name: String(Object(value).name) })
const typed = (data: Fields & { readonly type: string }) => ({ event: data.type, data })
const usage = { input_tokens: 10, output_tokens: 5 }

const messages: Protocol = {
  name: 'messages',
  path: /\/v1\/messages(\?|$)/,
  listTools: ({ tools }) => listOf(tools).map(nameOf),
  render: (reply) => {
    const isText = reply.kind === 'text'
    const block = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: 'toolu_1', name: reply.tool.name, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: reply.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) }
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      stop_sequence: null,
      usage,
    }
    const stopReason = isText ? 'end_turn' : 'tool_use'
    return [
      typed({ type: 'message_start', message: { ...message, content: [], stop_reason: null } }),
      typed({ type: 'content_block_start', index: 0, content_block: block }),
      typed({ type: 'content_block_delta', index: 0, delta }),
      typed({ type: 'content_block_stop', index: 0 }),
      typed({ type: 'message_delta', delta: { stop_reason: stopReason }, usage }),
      typed({ type: 'message_stop' }),
    ]
  },
}

const responses: Protocol = {
  name: 'responses',
  path: /\/v1\/responses$/,
  listTools: ({ tools }) =>
    listOf(tools).flatMap((tool) =>
      tool['type'] === 'namespace'
        ? listOf(tool['tools']).map((each) => ({
            ...nameOf(each),
            namespace: String(tool['name']),
          }))
        : [nameOf(tool)],
    ),
  render: (reply) => {
    const item =
      reply.kind === 'text'
        ? {
            type: 'message',
            role: 'assistant',
            id: 'msg_1',
            content: [{ type: 'output_text', text: reply.text }],
          }
        : {
            type: 'function_call',
            call_id: 'call_1',
            ...reply.tool,
            arguments: JSON.stringify(reply.input),
          }
    const completed = { id: 'resp_1', usage: { ...usage, total_tokens: 15 } }
    return [
      typed({ type: 'response.created', response: { id: 'resp_1' } }),
      typed({ type: 'response.output_item.done', output_index: 0, item }),
      typed({ type: 'response.completed', response: completed }),
    ]
  },
}

const generateContent: Protocol = {
  name: 'generateContent',
  path: /:(streamG|g)enerateContent(\?|$)/,
  listTools: ({ tools }) =>
    listOf(tools).flatMap((tool) => listOf(tool['functionDeclarations']).map(nameOf)),
  render: (reply) => {
    const part =
      reply.kind === 'text'
        ? { text: reply.text }
        : { functionCall: { name: reply.tool.name, args: reply.input } }
    const content = { role: 'model', parts: [part] }
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
    return [{ data: { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata } }]
  },
}

const chatCompletions: Protocol = {
  name: 'chatCompletions',
  path: /\/v1\/chat\/completions$/,
  listTools: ({ tools }) => listOf(tools).map((tool) => nameOf(tool['function'])),
  render: (reply) => {
    const call = (tool: Tool, input: object) => ({
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: tool.name, arguments: JSON.stringify(input) },
    })
    const delta =
      reply.kind === 'text'
        ? { role: 'assistant', content: reply.text }
        : { role: 'assistant', tool_calls: [call(reply.tool, reply.input)] }
    const finish = reply.kind === 'text' ? 'stop' : 'tool_calls'
    const chunk = (choice: Fields) => ({
      data: {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'model',
        choices: [{ index: 0, finish_reason: null, delta: {}, ...choice }],
      },
    })
    return [chunk({ delta }), chunk({ finish_reason: finish }), { data: '[DONE]' }]
  },
}

export const protocols = [messages, responses, generateContent, chatCompletions]
