import { z } from 'zod'
import { integer, readDate, text } from '../../kernel/http/wire-values.ts'

export const byId = z.object({
  id: z.string().describe('Id of the plugin, such as `svc.secrets`.'),
})

export const enableBody = z.object({
  enabled: z.boolean('enabled is required').describe('Whether the plugin may operate.'),
})

const maxCapabilities = 64
export const grantsBody = z.object({
  capabilities: z
    .array(z.string('capabilities must be a list of names'), 'capabilities must be a list of names')
    .max(maxCapabilities, `at most ${maxCapabilities} capabilities may be granted`)
    .describe('The capabilities that the plugin may use; they replace the earlier ones.'),
})

/** A blank value counts as absent; any other must be a time. */
function instant(name: string) {
  return text.transform((input, context) => {
    const date = input === undefined ? undefined : readDate(input)
    if (input === undefined || date) return date?.toISOString()
    context.addIssue({ code: 'custom', message: `${name} must be an ISO 8601 time` })
    return z.NEVER
  })
}

export const auditQuery = z.object({
  pluginId: text.describe('Only events of this plugin.'),
  event: text.describe('Only events of this name, such as `secret.exec_started`.'),
  since: instant('since').describe('Only events at or after this time.'),
  until: instant('until').describe('Only events at or before this time.'),
  limit: integer('limit', { min: 1, max: 500, default: 100 }).describe(
    'Maximum events, 1 to 500; default 100.',
  ),
})

const requiredCapabilities = z.array(z.string())
const panels = z.array(
  z.object({ id: z.string(), title: z.string(), summary: z.string(), requiredCapabilities }),
)
const contribution = z.object({
  id: z.string(),
  target: z.enum(['system', 'session-start', 'user-prompt-submit']),
  mode: z.enum(['context', 'prepend', 'append']),
  priority: z.number(),
  maxTokens: z.number(),
})
const declaredContribution = contribution.extend({
  summary: z.string(),
  requiredCapabilities,
  content: z.string().optional(),
  contentFile: z.string().optional(),
})
const surfaces = z.object({
  daemonRoutes: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      summary: z.string(),
      requiredCapabilities,
    }),
  ),
  cliCommands: z.array(
    z.object({ path: z.array(z.string()), summary: z.string(), requiredCapabilities }),
  ),
  mcpTools: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      summary: z.string(),
      requiredCapabilities,
    }),
  ),
  dashboardPanels: panels,
  sdkClients: z.array(z.object({ name: z.string(), summary: z.string(), requiredCapabilities })),
  connectorCapabilities: panels,
  promptContributions: z.array(declaredContribution),
})

export const record = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  publisher: z.string(),
  source: z.enum(['bundled', 'workspace']),
  trustTier: z.enum(['core', 'verified', 'community', 'local-dev']),
  enabled: z.boolean(),
  state: z.enum(['discovered', 'active', 'degraded', 'disabled', 'blocked']),
  stateReason: z.string().optional(),
  declaredCapabilities: z.array(z.string()),
  grantedCapabilities: z.array(z.string()),
  pendingCapabilities: z.array(z.string()).describe('Declared and not granted.'),
  surfaces: surfaces.describe('The surfaces in effect.'),
  health: z
    .object({
      status: z.enum(['healthy', 'degraded', 'unhealthy']),
      message: z.string().optional(),
    })
    .optional(),
  installedAt: z.string(),
  updatedAt: z.string(),
})

const activeContribution = contribution.extend({ pluginId: z.string(), content: z.string() })

export const pluginsReply = z.object({ plugins: z.array(record) })
export const pluginReply = z.object({ plugin: record })
export const contributionsReply = z.object({
  contributions: z.array(activeContribution),
  activeCount: z.number(),
})

export const diagnosticsReply = z.object({
  plugin: z.object({
    record,
    manifest: z.record(z.string(), z.unknown()).nullable(),
    activeSurfaces: surfaces,
    plannedSurfaces: surfaces,
    promptContributions: z.array(activeContribution),
    promptContributionDiagnostics: z.array(
      z.object({
        contribution: declaredContribution,
        included: z.boolean(),
        reason: z.string().optional(),
        missingCapabilities: z.array(z.string()),
      }),
    ),
    validationErrors: z.array(z.string()),
  }),
})

export const auditReply = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      timestamp: z.string(),
      event: z.string(),
      pluginId: z.string(),
      result: z.enum(['ok', 'denied', 'degraded', 'error']),
      source: z.enum(['plugin-host', 'secrets-provider', 'secrets-routes']),
      agentId: z.string().optional(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  count: z.number(),
})
