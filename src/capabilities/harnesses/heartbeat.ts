import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { DomainCheck } from '../../kernel/capability/domain.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { HarnessesNeeds } from './needs.ts'

const cleanText = (max: number) => z.string().max(max).transform(toCleanText)
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const heartbeatBody = z
  .object({
    pluginVersion: cleanText(128).describe('Version of the plugin.'),
    hooksRegistered: z.array(cleanText(128)).max(50).default([]),
    lastHookCall: cleanText(512).nullish(),
    lastError: cleanText(512).nullish(),
    latencyMs: z.number().min(0).nullish(),
    hooksSucceeded: count.default(0),
    hooksFailed: count.optional(),
    /** An older name of `hooksFailed`. */
    errorCount: count.optional(),
  })
  .transform(({ errorCount = 0, hooksFailed = errorCount, ...fields }) => ({
    ...fields,
    hooksFailed,
  }))

export const heartbeatReply = z.object({ ok: z.literal(true) })

type Heartbeat = z.output<typeof heartbeatBody> & { readonly receivedAt: string }

/** After this time the plugin counts as stale. */
const maxAgeMs = 300_000

export type Heartbeats = ReturnType<typeof createHeartbeats>

/** The last heartbeat of the plugin, in memory and in `.daemon/heartbeat.json`. */
export function createHeartbeats({ host, folder }: Pick<HarnessesNeeds, 'host' | 'folder'>) {
  const file = join(folder, '.daemon', 'heartbeat.json')
  const state: { last?: Heartbeat | null } = {}
  const findLast = async (): Promise<Heartbeat | null> => {
    if (state.last === undefined) state.last = await readHeartbeat(file)
    return state.last
  }
  return {
    save: async (body: z.output<typeof heartbeatBody>): Promise<z.input<typeof heartbeatReply>> => {
      const heartbeat = { ...body, receivedAt: host.now().toISOString() }
      state.last = heartbeat
      await mkdir(dirname(file), { recursive: true })
      await replaceFile(file, `${JSON.stringify(heartbeat)}\n`)
      return { ok: true }
    },
    read: async () => toStatus(await findLast(), host.now()),
  }
}

/** A missing or damaged file counts as no heartbeat. */
async function readHeartbeat(file: string): Promise<Heartbeat | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Heartbeat
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw error
  }
}

function toStatus(last: Heartbeat | null, now: Date) {
  const ageMs = last ? now.getTime() - Date.parse(last.receivedAt) : 0
  const state = ageMs > maxAgeMs ? 'stale' : 'connected'
  return {
    status: last ? state : 'never-seen',
    lastHeartbeat: last?.receivedAt ?? null,
    pluginVersion: last?.pluginVersion ?? null,
    hooksRegistered: last?.hooksRegistered ?? [],
    hooksSucceeded: last?.hooksSucceeded ?? 0,
    hooksFailed: last?.hooksFailed ?? 0,
    lastLatencyMs: last?.latencyMs ?? null,
    lastError: last?.lastError ?? null,
  }
}

/** Not scored: most services have no such plugin. */
export function pluginDomain({ read }: Pick<Heartbeats, 'read'>): DomainCheck {
  return {
    domain: 'openclaw',
    weight: null,
    isScored: false,
    check: async () => {
      const fields = await read()
      const detail = `the plugin was last seen at ${fields.lastHeartbeat}`
      const fix = { command: 'reverie harnesses', route: 'GET /api/harnesses' }
      const finding = { code: 'plugin_stale', penalty: 0, detail, fix }
      return { fields, findings: fields.status === 'stale' ? [finding] : [] }
    },
  }
}
