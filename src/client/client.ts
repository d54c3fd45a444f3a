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

function memoryOf({ request }: Transport) {
  const at = (id: string, rest = '') => `/api/memory/${encodeURIComponent(id)}${rest}`
  return {
    remember: (body: wire.RememberRequest) =>
      request<wire.Remembered>('/api/memory/remember', { method: 'POST', body }),
    recall: (body: wire.RecallRequest) =>
      request<wire.Recalled>('/api/memory/recall', { method: 'POST', body }),
    list: async (query: wire.ListQuery) =>
      readPage(await request<wire.ListReply>('/api/memories', { query: { ...query } })),
    read: (id: string) => request<wire.MemoryRecord>(at(id)),
    history: (id: string) => request<wire.History>(at(id, '/history')),
    update: (id: string, body: wire.UpdateRequest) =>
      request<wire.Updated>(at(id), { method: 'PATCH', body }),
    forget: (id: string, query: { reason: string; force?: boolean | undefined }) =>
      request<wire.Forgotten>(at(id), { method: 'DELETE', query }),
    previewForget: (body: wire.ForgetSelection) =>
      request<wire.ForgetPreview>('/api/memory/forget', {
        method: 'POST',
        body: { ...body, mode: 'preview' },
      }),
    forgetMany: (body: wire.ForgetManyRequest) =>
      request<wire.ForgottenMany>('/api/memory/forget', {
        method: 'POST',
        body: { ...body, mode: 'execute' },
      }),
    recover: (id: string, body: { reason: string }) =>
      request<wire.Recovered>(at(id, '/recover'), { method: 'POST', body }),
  }
}

/** A page that could not be read is answered as if it were an empty one. */
function readPage({ error, ...page }: wire.ListReply): wire.MemoryPage {
  if (error !== undefined) throw new ReverieError({ code: 'internal', message: error })
  return page
}

function agentsOf({ request }: Transport) {
  const at = (name: string) => `/api/agents/${encodeURIComponent(name)}`
  return {
    list: () => request<wire.AgentList>('/api/agents'),
    read: (name: string) => request<wire.AgentRow>(at(name)),
    create: (body: wire.AgentRequest) =>
      request<wire.AgentRow>('/api/agents', { method: 'POST', body }),
    update: (name: string, body: Omit<wire.AgentRequest, 'name'>) =>
      request<wire.AgentRow>(at(name), { method: 'PATCH', body }),
    delete: (name: string, query: { purge?: boolean | undefined }) =>
      request<wire.AgentRemoved>(at(name), { method: 'DELETE', query }),
  }
}

function embeddingsOf({ request }: Transport) {
  return {
    health: () => request<wire.EmbeddingsHealth>('/api/embeddings/health'),
    status: () => request<wire.EmbeddingsStatus>('/api/embeddings/status'),
    backfill: () => request<wire.Backfill>('/api/embeddings/backfill', { method: 'POST' }),
  }
}

function sessionsOf({ request }: Transport) {
  const at = (key: string, rest = '') => `/api/sessions/${encodeURIComponent(key)}${rest}`
  return {
    list: () => request<wire.SessionList>('/api/sessions'),
    read: (key: string) => request<wire.SessionRow>(at(key)),
    transcript: (key: string) => request<wire.Transcript>(at(key, '/transcript')),
    search: (body: wire.SessionSearch) =>
      request<wire.SessionHits>('/api/sessions/search', { method: 'POST', body }),
    bypass: (key: string, body: { enabled: boolean }) =>
      request<wire.Bypass>(at(key, '/bypass'), { method: 'POST', body }),
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

function serviceOf({ request, open }: Transport) {
  return {
    live: (timeoutMs: number) => request<wire.Live>('/health/live', { timeoutMs }),
    /** The body says what is not ready: that it is not is an answer too. */
    ready: async (timeoutMs: number) => {
      const reply = await open('/health/ready', { timeoutMs })
      const isJson = reply.headers.get('content-type')?.includes('json')
      if (!isJson || !(reply.ok || reply.status === notReady)) throw await toReverieError(reply)
      return (await reply.json()) as wire.Ready
    },
    health: () => request<wire.Health>('/health'),
    mode: (timeoutMs: number) => request<wire.Mode>('/api/mode', { timeoutMs }),
    status: () => request<Readonly<Record<string, unknown>>>('/api/status'),
    createToken: (body: wire.TokenRequest) =>
      request<wire.Token>('/api/auth/token', { method: 'POST', body }),
    backup: (body: { file?: string | undefined }) =>
      request<wire.BackupMade>('/api/workspace/backup', {
        method: 'POST',
        body,
        timeoutMs: backupTimeoutMs,
      }),
    logs: (query: { limit?: number | undefined; level?: string | undefined }) =>
      request<wire.Logs>('/api/logs', { query }),
    /** An endless stream of events, until the signal says so. */
    openLogs: async (query: { level?: string | undefined }, signal: AbortSignal) =>
      streamOf(await open('/api/logs/stream', { query, signal })),
    readConfig: () => request<wire.ConfigFiles>('/api/config'),
    writeConfig: (body: { file: string; content: string; dryRun?: boolean }) =>
      request<wire.ConfigSaved>('/api/config', { method: 'POST', body }),
  }
}
