import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createEvents, type EventType } from '../../kernel/events/events.ts'
import { createLog } from '../../kernel/log/log.ts'
import { createOutbound } from '../../kernel/outbound/outbound.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { agentsModule, createAgents } from '../agents/index.ts'
import type { Presence } from '../sessions/index.ts'
import { listInbox } from './inbox.ts'
import { messagesMigrations } from './migrations.ts'
import type { MessagesNeeds } from './needs.ts'
import { listQuery, sendBody } from './schemas.ts'
import { sendMessage } from './send.ts'

export const onEachEngine = testOnEachEngine([...agentsModule.migrations, ...messagesMigrations])
export const ada = callerFor('ada')
export const bob = callerFor('bob')
export const shy = callerFor('shy')

interface ActiveSession {
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
}

/** Real agents: ada and bob are shared, shy is isolated. The sessions are those of the test. */
export async function messagesNeeds(db: Db, allowedOrigins: readonly string[] = []) {
  const host = manualClockHost()
  const agents = createAgents({ db, host, removals: { list: () => [] } })
  for (const caller of [ada, bob]) await agents.register(db, caller)
  await agents.register(db, { ...shy, scope: { agent: 'shy' } })
  const active: ActiveSession[] = []
  const presences: Presence[] = []
  const emitted: unknown[] = []
  const bus = createEvents((error) => {
    throw error
  })
  const outbound = createOutbound({
    host,
    config: () => ({ allow: [...allowedOrigins], timeoutMs: 5_000, maxBytes: 100_000 }),
  })
  onTestFinished(() => outbound.close())
  const needs = {
    db,
    host,
    log: createLog('silent'),
    events: {
      emit: (type: EventType<unknown>, payload: unknown) => {
        emitted.push(payload)
        bus.emit(type, payload)
      },
      on: bus.on,
    },
    outbound,
    allowedOrigins: () => allowedOrigins,
    secretPolicy: () => 'redact',
    agents,
    sessions: {
      listPresence: async () => [...presences],
      assertInScope: async () => undefined,
      listActive: async (sessionKey, agentIds) =>
        active.filter(
          (each) => each.sessionKey === sessionKey && (agentIds?.includes(each.agentId) ?? true),
        ),
    },
  } satisfies MessagesNeeds
  return { needs, host, active, emitted, presences }
}

/** The inbox of an agent, with its texts. */
export async function inbox(needs: MessagesNeeds, caller: typeof ada, query: object = {}) {
  const list = await listInbox(needs, caller, listQuery.parse(query))
  return { ...list, texts: list.items.map(({ content }) => content) }
}

/** Sends as the API does: the body is parsed. */
export function send(needs: MessagesNeeds, caller: typeof ada, body: object) {
  return sendMessage(needs, caller, sendBody.parse({ content: 'hello', ...body }))
}

/** A service that replies as the test says, and records what it receives. */
export async function startAcpService(reply: () => number | 'silence') {
  const requests: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) })
    const status = reply()
    if (status === 'silence') return
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ run_id: 'run-1' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests }
}
