import { expect, test } from 'vitest'
import type { ModelStream, ModelStreamEvent } from '../inference/index.ts'
import { toChunks } from './chunks.ts'

const decision = {
  policyId: 'auto',
  mode: 'strict',
  taskClass: 'interactive',
  targetRef: 'main/chat',
  targetId: 'main',
  modelId: 'chat',
  fallbackTargetRefs: [],
} as unknown as ModelStream['decision']
const routed = { decision, attempts: [] }

function streamOf(...sent: readonly ModelStreamEvent[]) {
  const state = { isReturned: false }
  const events = (async function* () {
    try {
      yield* sent
    } finally {
      state.isReturned = true
    }
  })()
  const stream = { requestId: 'chatcmpl_1', decision, targetRef: 'main/chat', events }
  return { state, chunks: toChunks(stream, { id: 'chatcmpl_1', created: 1, includeUsage: false }) }
}

async function readAll(...sent: readonly ModelStreamEvent[]) {
  const frames = []
  for await (const frame of streamOf(...sent).chunks) frames.push(frame)
  return frames
}

test('a cancelled stream has its text so far', async () => {
  const frames = await readAll(
    { type: 'delta', text: 'Half' },
    { type: 'cancelled', partialText: 'Half', ...routed },
  )

  expect(frames.slice(-2)).toEqual([
    {
      data: expect.objectContaining({
        choices: [{ index: 0, delta: {}, finish_reason: 'cancelled' }],
        svc: { partialText: 'Half', ...routed },
      }),
    },
    { text: '[DONE]' },
  ])
})

test('a failed stream has an error that clients throw', async () => {
  const frames = await readAll({ type: 'error', error: 'It broke.', partialText: '', ...routed })

  expect(frames.at(-2)).toMatchObject({
    data: {
      choices: [{ finish_reason: 'error' }],
      error: { message: 'It broke.', type: 'api_error', code: 'stream_failed' },
      svc: { error: 'It broke.', partialText: '' },
    },
  })
})

test('a stream without a report of its usage has none', async () => {
  const frames = await readAll({
    type: 'done',
    text: '',
    finishReason: 'other',
    usage: null,
    ...routed,
  })

  expect(frames.at(-2)).toMatchObject({ data: { choices: [{ finish_reason: 'stop' }] } })
  expect(JSON.stringify(frames)).not.toContain('usage')
})

test('a reader that stops ends the call', async () => {
  const { state, chunks } = streamOf({ type: 'delta', text: 'a' }, { type: 'delta', text: 'b' })
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.next()
  await iterator.return?.()

  expect(state.isReturned).toBe(true)
})
