import { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import type { IntegrityCheck } from './database-checks.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import type { ReadReport, Report } from './report.ts'
import { integrity as integrityReply } from './schemas.ts'
import { readWorkloads, workloadsReply } from './workloads.ts'

type ReportRouteNeeds = Pick<
  DiagnosticsNeeds,
  'contentSafety' | 'gate' | 'modelCalls' | 'secretPolicy' | 'self'
> & { readonly report: ReadReport; readonly integrity: IntegrityCheck }

export function reportRoutes(needs: ReportRouteNeeds): readonly Route[] {
  const { contentSafety, integrity, report, secretPolicy } = needs
  return [
    route({
      name: 'diagnostics.report',
      method: 'GET',
      path: '/api/diagnostics',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Report the scored domains of the service with the fix of each finding.',
      reply: reportReply,
      handle: async () => toReportReply(await report()),
    }),
    route({
      name: 'diagnostics.integrity',
      method: 'GET',
      path: '/api/repair/integrity-check',
      permission: 'admin',
      summary: 'Check the pages of the database file; a server checks its own.',
      reply: integrityReply,
      handle: async () => {
        await integrity.run()
        return integrity.result()
      },
    }),
    route({
      name: 'diagnostics.workloads',
      method: 'GET',
      path: '/api/diagnostics/workloads',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Report the model calls and background operations that run now.',
      reply: workloadsReply,
      handle: async () => readWorkloads(needs),
    }),
    route({
      name: 'diagnostics.content-safety',
      method: 'GET',
      path: '/api/diagnostics/memory-content-safety',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Count the memories from which credentials were removed.',
      reply: contentSafetyReply,
      handle: async () => ({ policy: secretPolicy(), ...(await contentSafety()) }),
    }),
    route({
      name: 'diagnostics.domain',
      method: 'GET',
      path: '/api/diagnostics/:domain',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Report one domain, such as queue, or composite.',
      params: z.object({ domain: z.string() }),
      reply: domainReply,
      handle: async ({ params }) => findDomain(await report(), params.domain),
    }),
  ]
}

export function toReportReply({
  timestamp,
  domains,
  composite,
}: Report): z.input<typeof reportReply> {
  return { timestamp, ...Object.fromEntries(domains), composite }
}

function findDomain({ domains, composite }: Report, name: string): z.input<typeof domainReply> {
  if (name === 'composite') return composite
  const domain = domains.get(name)
  if (domain) return { ...domain, reasons: [...domain.reasons] }
  const names = [...domains.keys(), 'composite'].join(', ')
  throw new Refusal('invalid', 'unknown_domain', `The domain is unknown. Use one of ${names}.`)
}

const fix = z.object({ command: z.string(), route: z.string().nullable() }).nullable()
/** `composite` has a score and a status alone; `openclaw` has no score. */
const domainReply = z.looseObject({
  score: z.number().optional(),
  status: z.string().optional(),
  reasons: z.array(z.object({ code: z.string(), detail: z.string(), fix })).optional(),
  measuredAt: z.string().optional(),
  /** The check was late or failed: these are its last figures. */
  stale: z.boolean().optional(),
})

/** One more key for each domain. */
export const reportReply = z.looseObject({
  timestamp: z.string(),
  composite: z.object({ score: z.number(), status: z.enum(['healthy', 'degraded', 'unhealthy']) }),
})

const contentSafetyReply = z.object({
  /** The setting `hygiene.secrets`. */
  policy: z.string(),
  memories: z.int(),
  redacted: z.int(),
  countedAt: z.string(),
})
