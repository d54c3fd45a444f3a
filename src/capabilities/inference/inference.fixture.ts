import { onTestFinished } from 'vitest'
import { createCredentials } from '../../kernel/credentials/credentials.ts'
import { createEvents } from '../../kernel/events/events.ts'
import { createGate } from '../../kernel/gate/gate.ts'
import { createProviderCalls } from '../../kernel/health/provider-calls.ts'
import type { Host } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { createTables } from '../../kernel/testing/create-tables.ts'
import { openTestSqlite } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { createRouter } from './create-router.ts'
import {
  type InferenceRecord,
  inferenceExecuted,
  inferenceFellBack,
  inferenceStreamed,
} from './events.ts'
import { inferenceMigrations } from './migrations.ts'
import type { InferenceNeeds } from './needs.ts'
import type { RunRequest } from './run/router.ts'
import {
  type Target,
  type TargetCall,
  TargetError,
  type TargetPart,
  type TargetReply,
  type Usage,
} from './targets/target.ts'

export const usage: Usage = {
  inputTokens: 7,
  outputTokens: 3,
  cacheReadTokens: null,
  cacheCreationTokens: null,
  totalCost: null,
  totalDurationMs: null,
}

export function replyOf(text: string): TargetReply {
  return { text, toolCalls: [], finishReason: 'stop', usage }
}

/** One behaviour for each target id; a target without one answers with its id. */
export type Behaviours = Record<string, Partial<Target>>

export const failWith = (shape: ConstructorParameters<typeof TargetError>[1]) => ({
  complete: () => Promise.reject(new TargetError('failed', shape)),
})

/** Waits until the call is aborted, and notes it. */
export function hanging(aborted: string[] = []): Partial<Target> {
  const wait = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push('aborted')
        reject(new TargetError('aborted', { kind: 'aborted' }))
      })
    })
  return {
    complete: ({ signal }) => wait(signal),
    stream: async function* ({ signal }) {
      yield { type: 'text-delta', text: 'half' } as const
      await wait(signal)
    },
  }
}

export function streaming(...texts: string[]): Partial<Target> {
  return {
    stream: async function* (): AsyncGenerator<TargetPart> {
      for (const text of texts) yield { type: 'text-delta', text }
      yield { type: 'finish', finishReason: 'stop', usage }
    },
  }
}

async function* noParts(): AsyncGenerator<TargetPart> {}

const openai = {
  executor: 'openai',
  models: { m: { model: 'model-a', price: { input: 1, output: 1 } } },
}
const endpoint = 'https://models.example/v1'
export const twoTargets = {
  targets: {
    a: openai,
    b: { ...openai, executor: 'openai-compatible', endpoint },
  },
}

interface Given extends Partial<InferenceNeeds> {
  readonly section?: object
  readonly behaviours?: Behaviours
}

/** Every reference has this value, and there is no secret store. */
export function credentialsOf(value: string | undefined): InferenceNeeds['credentials'] {
  const { internal } = createCredentials({ variable: () => undefined })
  return { resolve: async () => value, internal }
}

/** A router with fake targets on a real database. */
export async function openInference({
  section = twoTargets,
  behaviours = {},
  ...given
}: Given = {}) {
  const database = await openTestSqlite()
  await createTables(database, inferenceMigrations)
  const host: Host & { advance?(ms: number): void } = given.host ?? manualClockHost()
  const log = given.log ?? createLog('silent')
  const events = createEvents((error) => {
    throw error
  })
  const records: (InferenceRecord & { event: string })[] = []
  for (const type of [inferenceExecuted, inferenceStreamed, inferenceFellBack])
    events.on(type, (record) => void records.push({ event: type.name, ...record }))
  const calls: (TargetCall & { target: string })[] = []
  const settings: { section: object; changed?: () => void } = { section }
  const gate = createGate(host)
  const providerCalls = createProviderCalls()
  const needs: InferenceNeeds = {
    db: database.db,
    children: noChildLedger,
    outbound: { open: () => Promise.reject(new Error('no network')) },
    credentials: credentialsOf('synthetic'),
    settings: {
      read: () => ({ section: settings.section, extraction: undefined }),
      onChange: (listener) => {
        settings.changed = listener
      },
    },
    providerCalls,
    concurrency: { execute: 8, nativeStream: 8, gatewayStream: 16, total: 24 },
    variables: () => ({}),
    pass: () => [],
    daemonUrl: () => 'http://127.0.0.1:1',
    gate,
    createTarget: async ({ settings: { id } }) => ({
      complete: (call) => {
        calls.push({ ...call, target: id })
        return behaviours[id]?.complete?.(call) ?? Promise.resolve(replyOf(id))
      },
      ...(behaviours[id]?.stream && {
        stream: (call: TargetCall) => {
          calls.push({ ...call, target: id })
          return behaviours[id]?.stream?.(call) ?? noParts()
        },
      }),
    }),
    ...given,
    host,
    log,
    events,
  }
  const router = createRouter(needs)
  onTestFinished(() => router.stop())
  const change = (section: object) => {
    settings.section = section
    settings.changed?.()
  }
  const { db } = database
  return { router, needs, host, gate, db, calls, records, change, behaviours, providerCalls }
}

export function requestFor(changes: Partial<RunRequest> = {}): RunRequest {
  return {
    requestId: 'request-1',
    subject: 'me',
    surface: 'native',
    route: { operation: 'interactive', agentId: 'ann' },
    prompt: { messages: [{ role: 'user', content: 'What is the canary phrase of today?' }] },
    signal: new AbortController().signal,
    ...changes,
  }
}
