import { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { withFaultReply } from '../../kernel/http/replies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { SynthesisOptions } from './needs.ts'
import { projectMemory } from './render.ts'
import { findHead } from './store.ts'
import { minIntervalMinutes, writeMemory } from './write.ts'

const failed = { error: 'Synthesis request failed' }
const onInvalidBody = { error: 'invalid request body' }
const about = z.object({
  ...value.ignoredAgent,
  sessionKey: value.ignored,
  trigger: value.text,
  force: value.flag,
})
const fault = z.object({ error: z.string() })

const retired = z.looseObject({
  error: z.string(),
  code: z.string(),
  version: z.literal(1),
  retired: z.literal(true),
  migration: z.object({ method: z.string(), path: z.string(), reason: z.string() }),
})

const configReply = z.object({
  enabled: z.boolean(),
  model: z.literal('projection'),
  schedule: z.literal('idle'),
  timeout: z.int(),
  maxTokens: z.int(),
  idleGapMinutes: z.int(),
  minIntervalMinutes: z.int(),
})

export function synthesisRoutes(needs: SynthesisOptions): readonly Route[] {
  const { log, db } = needs
  return [
    route({
      name: 'hooks.synthesis-config',
      method: 'GET',
      path: '/api/hooks/synthesis/config',
      permission: 'recall',
      summary: 'Return the synthesis settings.',
      reply: configReply,
      handle: async () => toConfig(needs),
    }),
    route({
      name: 'hooks.synthesis',
      method: 'POST',
      path: '/api/hooks/synthesis',
      permission: 'recall',
      summary: 'Render `MEMORY.md` without writing it.',
      onInvalidBody,
      body: about,
      reply: z.union([
        z.object({
          harness: z.literal('daemon'),
          model: z.literal('projection'),
          prompt: z.string(),
          fileCount: z.int(),
          indexBlock: z.string(),
        }),
        fault,
      ]),
      handle: ({ caller }) =>
        withFaultReply(failed, log, async () => {
          const { text: prompt, indexBlock, fileCount } = await projectMemory(needs, caller)
          const constant = { harness: 'daemon', model: 'projection' } as const
          return { ...constant, prompt, fileCount, indexBlock }
        }),
    }),
    route({
      name: 'hooks.synthesis-complete',
      method: 'POST',
      path: '/api/hooks/synthesis/complete',
      permission: 'recall',
      summary: 'Retired. Use `POST /api/synthesis/trigger`.',
      precondition: rejectRetired,
      otherReplies: { 410: retired },
      handle: async () => rejectRetired(),
    }),
    route({
      name: 'hooks.synthesis-trigger',
      method: 'POST',
      path: '/api/synthesis/trigger',
      permission: 'remember',
      summary: 'Write `MEMORY.md`, at most once an hour unless `force` is set.',
      body: about,
      reply: z.union([
        z.object({ success: z.literal(true), skipped: z.boolean(), reason: z.string().optional() }),
        fault,
      ]),
      handle: ({ caller: { agentId }, body: { force = false } }) =>
        withFaultReply(failed, log, () => writeMemory(needs, { agentId, force })),
    }),
    route({
      name: 'hooks.synthesis-status',
      method: 'GET',
      path: '/api/synthesis/status',
      permission: 'recall',
      summary: 'Return whether `MEMORY.md` is being written and the time of the last write.',
      query: z.object(value.ignoredAgent),
      reply: z.object({
        running: z.boolean(),
        lastRunAt: z.string().nullable(),
        config: configReply,
      }),
      handle: async ({ caller: { agentId } }) => {
        const head = await findHead(db, agentId)
        const until = head?.leaseExpiresAt ?? ''
        const running = until > needs.host.now().toISOString()
        return { running, lastRunAt: head?.writtenAt ?? null, config: toConfig(needs) }
      },
    }),
  ]
}

function toConfig({ config }: SynthesisOptions): z.input<typeof configReply> {
  const constant = { model: 'projection', schedule: 'idle', minIntervalMinutes } as const
  return { ...config(), ...constant }
}

/** Runs before the request is parsed. */
function rejectRetired(): never {
  throw new Refusal('gone', 'SYNTHESIS_COMPLETE_RETIRED', 'Synthesis completion is retired.', {
    version: 1,
    retired: true,
    migration: {
      method: 'POST',
      path: '/api/synthesis/trigger',
      reason: 'MEMORY.md is rendered by the service and needs no text from a model.',
    },
  })
}
