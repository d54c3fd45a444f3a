import { expect, vi } from 'vitest'
import { retryMessage } from './deliver.ts'
import {
  ada,
  inbox,
  messagesNeeds,
  onEachEngine,
  send,
  startAcpService,
} from './messages.fixture.ts'
import { expireLeases, leaseMessage } from './store.ts'

onEachEngine('a message for another service is posted to its runs', async (db) => {
  const replies = { status: 202 as number | 'silence' }
  const service = await startAcpService(() => replies.status)
  const { needs, host } = await messagesNeeds(db, [service.url])
  const acp = { baseUrl: `${service.url}/`, targetAgentName: 'helper', metadata: { team: 'blue' } }

  const { message } = await send(needs, ada, { content: 'remote', acp })

  expect(message).toMatchObject({ deliveryState: 'delivered', deliveryReceipt: 'run-1' })
  expect(service.requests).toEqual([
    {
      path: '/runs',
      body: {
        agent_name: 'helper',
        input: [{ role: 'user', parts: [{ content_type: 'text/plain', content: 'remote' }] }],
        mode: 'async',
        metadata: { team: 'blue' },
      },
    },
  ])
  await expect(retryMessage(needs, ada, message.id)).rejects.toMatchObject({
    code: 'message_not_retryable',
  })

  replies.status = 'silence'
  const pending = send(needs, ada, { acp: { ...acp, timeoutMs: 2_000 } })
  await vi.waitFor(() => expect(service.requests).toHaveLength(2))
  host.advance(2_000)
  const silent = (await pending).message
  expect(silent).toMatchObject({ deliveryState: 'indeterminate', deliveryAttempts: 1 })
  replies.status = 500
  expect(await retryMessage(needs, ada, silent.id)).toMatchObject({
    deliveryState: 'failed',
    deliveryError: 'The service replied with status 500.',
    deliveryAttempts: 2,
  })
  await retryMessage(needs, ada, silent.id)
  await expect(retryMessage(needs, ada, silent.id)).rejects.toThrow('3 attempts were made')
})

onEachEngine(
  'one daemon delivers a message at a time, and a lost lease is indeterminate',
  async (db) => {
    const origin = 'http://127.0.0.1:9'
    const { needs, host } = await messagesNeeds(db, [origin])
    const { message } = await send(needs, ada, { acp: { baseUrl: origin, targetAgentName: 'x' } })
    expect(message).toMatchObject({ deliveryState: 'failed' })
    const now = host.now().toISOString()
    const lease = { id: message.id, now, leaseUntil: `${now}+`, maxAttempts: 3 }

    expect(await leaseMessage(db, lease)).toBe(true)
    expect(await leaseMessage(db, lease)).toBe(false)
    await expect(retryMessage(needs, ada, message.id)).rejects.toMatchObject({
      code: 'message_not_retryable',
    })
    host.advance(1000)
    await expireLeases(db, host.now().toISOString())
    const { items } = await inbox(needs, ada, { include_sent: true })
    expect(items).toMatchObject([{ deliveryState: 'indeterminate' }])
  },
)
