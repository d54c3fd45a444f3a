import type { Host } from '../../../kernel/host/host.ts'
import { createFetch } from '../../../kernel/outbound/create-fetch.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { TargetConfig } from '../config/config.ts'
import type { Executor } from '../targets/target.ts'

const paths: Readonly<Partial<Record<Executor, string>>> = {
  ollama: '/api/tags',
  'llama-cpp': '/health',
}
const timeoutMs = 1_000
const cacheMs = 15_000
const maxBytes = 1_048_576

interface Probe {
  readonly startedAt: number
  isUp: boolean
}

export interface LocalProbes {
  /** Starts probes of servers that were not probed for 15 s. Does not wait for them. */
  start(targets: Iterable<TargetConfig>): void
  /** False if the last probe failed. */
  isUp(targetId: string): boolean
  settled(): Promise<void>
}

interface ProbeNeeds {
  readonly host: Pick<Host, 'now'>
  readonly outbound: Pick<Outbound, 'open'>
}

/** Finds out whether local servers run, in parallel to requests and never before one. */
export function createLocalProbes({ host, outbound }: ProbeNeeds): LocalProbes {
  const probes = new Map<string, Probe>()
  const running = new Set<Promise<void>>()
  const probe = async (url: string, record: Probe): Promise<void> => {
    try {
      const { origin } = new URL(url)
      const fetch = createFetch({ outbound, origin, allowLoopback: true, timeoutMs, maxBytes })
      const reply = await fetch(url)
      await reply.body?.cancel()
      record.isUp = reply.status < 500
    } catch {
      record.isUp = false
    }
  }
  return {
    start: (targets) => {
      const now = host.now().getTime()
      for (const { id, executor, endpoint } of targets) {
        const url = toProbeUrl(executor, endpoint)
        const last = probes.get(id)
        if (!url || (last && now - last.startedAt < cacheMs)) continue
        const record = { startedAt: now, isUp: last?.isUp ?? true }
        probes.set(id, record)
        const work = probe(url, record).finally(() => running.delete(work))
        running.add(work)
      }
    },
    isUp: (targetId) => probes.get(targetId)?.isUp ?? true,
    settled: async () => {
      await Promise.all(running)
    },
  }
}

/** The health of llama.cpp is not below its base path. */
function toProbeUrl(executor: Executor, endpoint: string | undefined): string | undefined {
  const path = paths[executor]
  if (!path || !endpoint) return undefined
  return executor === 'ollama' ? `${endpoint}${path}` : new URL(path, endpoint).href
}
