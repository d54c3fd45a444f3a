import { z } from 'zod'
import type { RepairInput, RepairTotals } from '../../kernel/capability/repair.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type Call, type Route, route } from '../../kernel/http/route.ts'
import { redactContent } from '../../kernel/redaction/redact-content.ts'
import type { RepairName } from './actions.ts'
import type { RepairNeeds } from './needs.ts'
import type { Actor } from './repair-run.ts'
import { toReply } from './reply.ts'
import type { RepairRunner } from './run-repair.ts'
import * as wire from './schemas.ts'

type RouteNeeds = RepairNeeds & { readonly runner: RepairRunner }
type AnyCall = Pick<Call<unknown, unknown, unknown>, 'caller' | 'headers' | 'principal'>

const common = { method: 'POST', permission: 'admin', bodyLimit: 65_536 } as const

interface RepairRoute<Body extends z.ZodType, Result extends z.ZodType> {
  readonly name: RepairName
  readonly summary: string
  readonly body: Body
  readonly reply: Result
  toInput(body: z.output<Body>, agentId: string): RepairInput
  toExtras(totals: RepairTotals): object
}

/** The repairs without fields of their own in the reply. */
const plain = { reply: wire.resultReply, toExtras: () => ({}) } as const

export function repairRoutes(needs: RouteNeeds): readonly Route[] {
  const createRoute = <Body extends z.ZodType, Result extends z.ZodType>(
    definition: RepairRoute<Body, Result>,
  ): Route => {
    const { name, toInput, toExtras, ...rest } = definition
    return route({
      ...common,
      ...rest,
      name: `repair.${name}`,
      path: `/api/repair/${name}`,
      otherReplies: { 429: wire.deniedReply, 500: wire.failedReply },
      handle: async (call) => {
        const { dryRun = false } = Object(call.body) as { dryRun?: boolean }
        const input = toInput(call.body, call.caller.agentId)
        // A check alone writes nothing, so that the repair it recommends is not refused after it.
        const isPreview = dryRun || input.repair === false
        const result = await needs.runner.run({
          name,
          input,
          dryRun: isPreview,
          actor: toActor(needs, call),
        })
        return toReply(needs.host, name, { result, toExtras })
      },
    })
  }
  return [
    createRoute({
      ...plain,
      name: 'requeue-dead',
      summary: 'Requeue up to 50 jobs that failed finally.',
      body: wire.sweepBody,
      toInput: () => ({}),
    }),
    createRoute({
      ...plain,
      name: 'release-leases',
      summary: 'Release the leases of jobs that no daemon runs any more.',
      body: wire.sweepBody,
      toInput: () => ({}),
    }),
    createRoute({
      ...plain,
      name: 'retention-sweep',
      summary: 'Delete expired memories, history, jobs and their orphaned rows.',
      body: wire.sweepBody,
      toInput: () => ({}),
    }),
    createRoute({
      ...plain,
      name: 'check-fts',
      summary: 'Check the text index, and rebuild it on request.',
      body: wire.checkBody,
      toInput: ({ repair }) => ({ repair }),
    }),
    createRoute({
      ...plain,
      name: 'clean-orphans',
      summary: 'Delete the vectors of memories that are deleted or missing.',
      body: wire.sweepBody,
      toInput: () => ({}),
    }),
    ...vectorRoutes(needs, createRoute),
    retiredRoute,
  ]
}

type CreateRoute = <Body extends z.ZodType, Result extends z.ZodType>(
  definition: RepairRoute<Body, Result>,
) => Route

const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

/** The repairs of vectors, duplicates, links and indexes. */
function vectorRoutes(
  { settings }: Pick<RepairNeeds, 'settings'>,
  createRoute: CreateRoute,
): readonly Route[] {
  return [
    createRoute({
      ...plain,
      name: 're-embed',
      summary: 'Embed memories without a vector of the configured model.',
      body: wire.reembedBody,
      toInput: ({ batchSize, fullSweep }) => ({ batchSize, fullSweep }),
    }),
    createRoute({
      name: 're-embed-migration',
      summary: 'Embed memories of an agent whose vectors have another model.',
      body: wire.migrationBody,
      reply: wire.migrationReply,
      toInput: ({ all, batchSize }, agentId) => ({ agentId, all, batchSize }),
      toExtras: ({ details }) => ({ totalMatching: numberOf(details['selected']) }),
    }),
    createRoute({
      name: 'deduplicate',
      summary: 'Merge memories with equal contents, and with similar vectors on request.',
      body: wire.deduplicateBody,
      reply: wire.deduplicateReply,
      toInput: ({ batchSize, dryRun, semanticThreshold, ...input }) => {
        const { dedupBatchSize, dedupSemanticThreshold } = settings().repair
        return {
          ...input,
          batchSize: batchSize ?? dedupBatchSize,
          semanticThreshold: semanticThreshold ?? dedupSemanticThreshold,
        }
      },
      toExtras: ({ counts }) => ({ clusters: counts['clusters'] ?? 0 }),
    }),
    createRoute({
      name: 'relink-entities',
      summary: 'Link memories of an agent to the entities that their texts name.',
      body: wire.relinkBody,
      reply: wire.relinkReply,
      toInput: ({ batchSize }, agentId) => ({ agentId, batchSize }),
      toExtras: ({ counts, details, dryRun }) => ({
        dryRun,
        processed: counts['processed'] ?? 0,
        linked: counts['linked'] ?? 0,
        entities: counts['entities'] ?? 0,
        aspects: 0,
        attributes: 0,
        remaining: numberOf(details['remaining']),
        ...(dryRun && { projectedRemaining: numberOf(details['projectedRemaining']) }),
      }),
    }),
    createRoute({
      ...plain,
      name: 'resync-vec',
      summary: 'Let the search index read all vectors again.',
      body: wire.sweepBody,
      toInput: () => ({}),
    }),
    createRoute({
      ...plain,
      name: 'rebuild-indexes',
      summary: 'Rebuild the indexes of the database.',
      body: wire.sweepBody,
      toInput: () => ({}),
    }),
  ]
}

function refuseRetired(): never {
  const message = 'The backfill of skipped sessions is retired. Import the conversations.'
  throw new Refusal('gone', 'backfill_retired', message)
}

const retiredRoute = route({
  ...common,
  name: 'repair.backfill-skipped',
  path: '/api/repair/backfill-skipped',
  summary: 'Retired. Use the import of conversations.',
  otherReplies: { 410: z.looseObject({ error: z.string(), code: z.string() }) },
  precondition: refuseRetired,
  handle: async () => refuseRetired(),
})

/** Without a token, the headers name the actor. */
function toActor({ secretPolicy }: RepairNeeds, { caller, headers, principal }: AnyCall): Actor {
  const isNamed = principal.claims !== null || headers['x-svc-actor'] !== undefined
  const reason = headers['x-svc-reason']
  const isAutomated = caller.actorType === 'agent' || caller.actorType === 'daemon'
  const { value } = redactContent(
    {
      name: isNamed ? caller.name : 'operator',
      reason: typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : 'manual repair',
    },
    secretPolicy(),
  )
  return {
    ...value,
    type: isAutomated ? caller.actorType : 'operator',
    requestId: caller.requestId,
    agentId: caller.agentId,
  }
}
