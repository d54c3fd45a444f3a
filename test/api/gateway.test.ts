import { NotFoundError } from 'openai'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  collect,
  errorOf,
  messages,
  question,
  startGatewayService,
} from '../support/gateway-service.ts'

const gateway = await startGatewayService()
afterAll(() => gateway.stop())
const { client, key, lastRequest, upstream } = gateway
afterEach(() => {
  upstream.fail()
  upstream.reply({})
})

describe('models', () => {
  test('works: the official client lists the names', async () => {
    const { data } = await client.models.list()

    expect(data.map(({ id }) => id)).toEqual([
      'svc:auto',
      'policy:auto',
      'policy:near',
      'main/chat',
      'local/small',
    ])
    expect(data[0]).toEqual({ id: 'svc:auto', object: 'model', owned_by: 'svc' })
  })

  test('works: a name with a slash is read', async () => {
    expect(await client.models.retrieve('main/chat')).toMatchObject({ id: 'main/chat' })
  })

  test('refuses an unknown name', async () => {
    expect(await errorOf(client.models.retrieve('none/such'))).toBeInstanceOf(NotFoundError)
  })
})

describe('a chat', () => {
  test('works: the official client completes one', async () => {
    const completion = await client.chat.completions.create({ ...question, seed: 7 })

    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl_/),
      object: 'chat.completion',
      model: 'main/chat',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello from the model.' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      svc: { decision: { targetRef: 'main/chat' }, attempts: [{ ok: true }] },
    })
    expect(lastRequest()).toMatchObject({ model: 'model-a', messages, seed: 7 })
    expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('works: a stream ends with its usage in a chunk of its own', async () => {
    const stream = await client.chat.completions.create({
      ...question,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await collect(stream)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')

    expect(text).toBe('Hello from the model.')
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant' })
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 15 } })
  })

  test('works: a stream without options has its usage in the last chunk', async () => {
    const chunks = await collect(
      await client.chat.completions.create({ ...question, stream: true }),
    )

    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1)
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'stop' }],
      usage: { total_tokens: 15 },
      svc: { attempts: [{ targetRef: 'main/chat' }] },
    })
  })

  test('works: cached tokens are part of the prompt', async () => {
    upstream.reply({ usage: { input: 4, output: 5, cacheRead: 6, cacheCreation: 0 } })
    const { usage } = await client.chat.completions.create(question)

    expect(usage).toMatchObject({
      prompt_tokens: 10,
      prompt_tokens_details: { cached_tokens: 6 },
    })
  })

  test('works: parallel tool calls, and their results', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'read_weather', parameters: { type: 'object', properties: {} } },
      },
    ] as const
    upstream.reply({
      text: '',
      finish: 'tool_calls',
      toolCalls: [
        { id: 'call_1', name: 'read_weather', args: { city: 'Oslo' } },
        { id: 'call_2', name: 'read_weather', args: { city: 'Rome' } },
      ],
    })
    const request = { ...question, tools: [...tools], parallel_tool_calls: true }
    const { choices } = await client.chat.completions.create(request)
    const streamed = client.chat.completions.stream({ ...request })
    const { choices: streamedChoices } = await streamed.finalChatCompletion()
    const [choice] = choices

    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read_weather' } },
          { id: 'call_2', function: { arguments: '{"city":"Rome"}' } },
        ],
      },
    })
    expect(streamedChoices[0]?.message.tool_calls).toMatchObject(choice?.message.tool_calls ?? [])

    upstream.reply({ text: 'Seven degrees.' })
    const results = ['call_1', 'call_2'].map((id) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: `result of ${id}`,
    }))
    const assistant = { role: 'assistant' as const, ...choice?.message }
    const next = await client.chat.completions.create({
      ...question,
      messages: [...messages, assistant, ...results],
      tools: [...tools],
    })
    expect(next.choices[0]?.message.content).toBe('Seven degrees.')
    expect(JSON.stringify(lastRequest())).toContain('result of call_2')
  })

  test('works: a JSON schema', async () => {
    upstream.reply({ text: '{"city":"Oslo"}' })
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const { choices } = await client.chat.completions.create({
      ...question,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    })

    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ city: 'Oslo' })
    expect(lastRequest()['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'place', schema },
    })
  })

  test('works: an image that is sent along', async () => {
    const url = `data:image/png;base64,${Buffer.alloc(900_000, 1).toString('base64')}`
    await client.chat.completions.create({
      model: 'svc:auto',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    })

    expect(JSON.stringify(lastRequest()).length).toBeGreaterThan(1_200_000)
  })

  test.each([
    ['policy:near', 'local/small'],
    ['local/small', 'local/small'],
    ['', 'main/chat'],
  ])('works: the model %o selects %s', async (model, target) => {
    expect((await client.chat.completions.create({ ...question, model })).model).toBe(target)
  })

  test.each([
    ['x-svc-explicit-target', 'local/small'],
    ['x-svc-route-policy', 'near'],
    ['x-svc-privacy-tier', 'local_only'],
  ])('works: the header %s overrides the model', async (name, value) => {
    const { model } = await client.chat.completions.create(
      { ...question, model: name === 'x-svc-privacy-tier' ? 'svc:auto' : 'main/chat' },
      { headers: { [name]: value } },
    )

    expect(model).toBe('local/small')
  })

  test('works: the second target answers when the first one fails', async () => {
    upstream.failPath('/v1/chat/completions', { status: 500 })
    const completion = await client.chat.completions.create(question)

    expect(completion).toMatchObject({
      model: 'local/small',
      svc: { attempts: [{ targetRef: 'main/chat', ok: false }, { ok: true }] },
    })
  })
})

describe('embeddings', () => {
  test('works: the official client embeds texts', async () => {
    const { data, model } = await client.embeddings.create({
      model: 'svc:embedding',
      input: ['a grey kitten', 'a linker error'],
    })
    const plain = await client.embeddings.create({
      model: 'svc:embedding',
      input: 'a grey kitten',
      encoding_format: 'float',
    })

    expect(model).toBe('static-en-256')
    expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 256],
      [1, 256],
    ])
    expect(plain.data[0]?.embedding[0]).toBeCloseTo(data[0]?.embedding[0] ?? Number.NaN, 6)
  })
})
