import { ReverieError, toReverieError } from './public/reverie-error.ts'
import { type Address, createTransport, streamOf, type Transport } from './transport.ts'
import type * as wire from './wire.ts'

/** A large workspace takes its time. */
const backupTimeoutMs = 30 * 60_000

export type Client = ReturnType<typeof createClient>

/** Each operation of the service that has a caller here, by its own name. */
export function createClient(address: Address) {
  const transport = createTransport(address)
  return {
    url: transport.url,
    memory: memoryOf(transport),
    agents: agentsOf(transport),
    embeddings: embeddingsOf(transport),
    sessions: sessionsOf(transport),
    service: serviceOf(transport),
    mcp: mcpOf(transport),
  }
}

function memoryOf({ ask }: Transport) {
  const at = (id: string, rest = '') => `/api/memory/${encodeURIComponent(id)}${rest}`
  return {
    remember: (body: wire.RememberRequest) =>
      ask<wire.Remembered>('/api/memory/remember', { method: 'POST', body }),
    recall: (body: wire.RecallRequest) =>
      ask<wire.Recalled>('/api/memory/recall', { method: 'POST', body }),
    list: async (query: wire.ListQuery) =>
      readPage(await ask<wire.ListReply>('/api/memories', { query: { ...query } })),
    read: (id: string) => ask<wire.MemoryRecord>(at(id)),
    history: (id: string) => ask<wire.History>(at(id, '/history')),
    update: (id: string, body: wire.UpdateRequest) =>
      ask<wire.Updated>(at(id), { method: 'PATCH', body }),
    forget: (id: string, query: { reason: string; force?: boolean | undefined }) =>
      ask<wire.Forgotten>(at(id), { method: 'DELETE', query }),
    previewForget: (body: wire.ForgetSelection) =>
      ask<wire.ForgetPreview>('/api/memory/forget', {
        method: 'POST',
        body: { ...body, mode: 'preview' },
      }),
    forgetMany: (body: wire.ForgetManyRequest) =>
      ask<wire.ForgottenMany>('/api/memory/forget', {
        method: 'POST',
        body: { ...body, mode: 'execute' },
      }),
    recover: (id: string, body: { reason: string }) =>
      ask<wire.Recovered>(at(id, '/recover'), { method: 'POST', body }),
  }
}

/** A page that could not be read is answered as if it were an empty one. */
function readPage({ error, ...page }: wire.ListReply): wire.MemoryPage {
  if (error !== undefined) throw new ReverieError({ code: 'internal', message: error })
  return page
}

function agentsOf({ ask }: Transport) {
  const at = (name: string) => `/api/agents/${encodeURIComponent(name)}`
  return {
    list: () => ask<wire.AgentList>('/api/agents'),
    read: (name: string) => ask<wire.AgentRow>(at(name)),
    create: (body: wire.AgentRequest) =>
      ask<wire.AgentRow>('/api/agents', { method: 'POST', body }),
    update: (name: string, body: Omit<wire.AgentRequest, 'name'>) =>
      ask<wire.AgentRow>(at(name), { method: 'PATCH', body }),
    delete: (name: string, query: { purge?: boolean | undefined }) =>
      ask<wire.AgentRemoved>(at(name), { method: 'DELETE', query }),
  }
}

function embeddingsOf({ ask }: Transport) {
  return {
    health: () => ask<wire.EmbeddingsHealth>('/api/embeddings/health'),
    status: () => ask<wire.EmbeddingsStatus>('/api/embeddings/status'),
    backfill: () => ask<wire.Backfill>('/api/embeddings/backfill', { method: 'POST' }),
  }
}

function sessionsOf({ ask }: Transport) {
  const at = (key: string, rest = '') => `/api/sessions/${encodeURIComponent(key)}${rest}`
  return {
    list: () => ask<wire.SessionList>('/api/sessions'),
    read: (key: string) => ask<wire.SessionRow>(at(key)),
    transcript: (key: string) => ask<wire.Transcript>(at(key, '/transcript')),
    search: (body: wire.SessionSearch) =>
      ask<wire.SessionHits>('/api/sessions/search', { method: 'POST', body }),
    bypass: (key: string, body: { enabled: boolean }) =>
      ask<wire.Bypass>(at(key, '/bypass'), { method: 'POST', body }),
  }
}

const notReady = 503

function mcpOf({ open }: Transport) {
  const accept = 'application/json, text/event-stream'
  return {
    /** A message of the Model Context Protocol; the status is not asked. */
    send: (message: unknown, headers: Readonly<Record<string, string>>, signal: AbortSignal) =>
      open('/mcp', { method: 'POST', body: message, headers: { accept, ...headers }, signal }),
  }
}

function serviceOf({ ask, open }: Transport) {
  return {
    live: (timeoutMs: number) => ask<wire.Live>('/health/live', { timeoutMs }),
    /** The body says what is not ready: that it is not is an answer too. */
    ready: async (timeoutMs: number) => {
      const reply = await open('/health/ready', { timeoutMs })
      const isJson = reply.headers.get('content-type')?.includes('json')
      if (!isJson || !(reply.ok || reply.status === notReady)) throw await toReverieError(reply)
      return (await reply.json()) as wire.Ready
    },
    health: () => ask<wire.Health>('/health'),
    mode: (timeoutMs: number) => ask<wire.Mode>('/api/mode', { timeoutMs }),
    status: () => ask<Readonly<Record<string, unknown>>>('/api/status'),
    createToken: (body: wire.TokenRequest) =>
      ask<wire.Token>('/api/auth/token', { method: 'POST', body }),
    backup: (body: { file?: string | undefined }) =>
      ask<wire.BackupMade>('/api/workspace/backup', {
        method: 'POST',
        body,
        timeoutMs: backupTimeoutMs,
      }),
    logs: (query: { limit?: number | undefined; level?: string | undefined }) =>
      ask<wire.Logs>('/api/logs', { query }),
    /** An endless stream of events, until the signal says so. */
    openLogs: async (query: { level?: string | undefined }, signal: AbortSignal) =>
      streamOf(await open('/api/logs/stream', { query, signal })),
    readConfig: () => ask<wire.ConfigFiles>('/api/config'),
    writeConfig: (body: { file: string; content: string }) =>
      ask<wire.ConfigSaved>('/api/config', { method: 'POST', body }),
  }
}
