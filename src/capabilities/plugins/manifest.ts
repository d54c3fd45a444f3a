import { valid, validRange } from 'semver'
import { z } from 'zod'

/** The places of a prompt that a plugin can add text to. */
const targets = ['system', 'session-start', 'user-prompt-submit'] as const
export type Target = (typeof targets)[number]

/** Longer ids and names are refused. */
const maxNameLength = 128
const maxSummaryLength = 500
const maxEntries = 64
export const maxContentLength = 16_384

const line = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(maxSummaryLength, `must have at most ${maxSummaryLength} characters`)
const capability = z
  .string()
  .max(maxNameLength)
  .regex(
    /^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*){1,2}$/,
    'must be namespace:action or namespace:action:qualifier in lower case',
  )
const requiredCapabilities = z
  .array(capability)
  .min(1, 'must name at least one declared capability')
  .max(maxEntries)

const entry = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .array(z.strictObject({ ...shape, requiredCapabilities }))
    .max(maxEntries)
    .default([])
const panel = { id: line, title: line, summary: line }

const surfaces = z.strictObject({
  daemonRoutes: entry({ method: line, path: line, summary: line }),
  cliCommands: entry({ path: z.array(line).min(1).max(8), summary: line }),
  mcpTools: entry({ name: line, title: line, summary: line }),
  dashboardPanels: entry(panel),
  sdkClients: entry({ name: line, summary: line }),
  connectorCapabilities: entry(panel),
  promptContributions: entry({
    id: line,
    target: z.enum(targets),
    mode: z.enum(['context', 'prepend', 'append']).default('context'),
    priority: z.int().min(0).max(1_000_000).default(500),
    maxTokens: z.int().min(1).max(400).default(400),
    summary: line,
    content: z.string().max(maxContentLength).optional(),
    contentFile: z.string().min(1).max(maxNameLength).optional(),
  }),
})

/** SDK V1. Unknown keys are an error. */
export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z
    .string()
    .max(maxNameLength)
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be dot-separated lower-case segments'),
  name: line,
  version: z
    .string()
    .max(maxNameLength)
    .refine((version) => valid(version) === version.split('+')[0], 'must be a semantic version'),
  publisher: line,
  trustTier: z.enum(['core', 'verified', 'community', 'local-dev']),
  runtime: z.strictObject({ kind: line }),
  requires: z
    .strictObject({
      core: z
        .string()
        .refine((range) => validRange(range) !== null, 'must be a range of versions')
        .optional(),
    })
    .default({}),
  capabilities: z.array(z.strictObject({ id: capability, summary: line })).max(maxEntries),
  surfaces: surfaces.prefault({}),
})

export type Manifest = z.output<typeof manifestSchema>
export type Surfaces = Manifest['surfaces']
export type ManifestContribution = Surfaces['promptContributions'][number]
export type PluginSource = 'bundled' | 'workspace'

const ownPrefix = 'svc.'

/** The rules that concern several fields of a well-formed manifest; empty if none is broken. */
export function listBrokenRules(manifest: Manifest, source: PluginSource): readonly string[] {
  const { id, trustTier, capabilities, surfaces } = manifest
  const declared = capabilities.map((each) => each.id)
  const undeclared = Object.entries(surfaces).flatMap(([surface, entries]) =>
    entries.flatMap((each, index) =>
      each.requiredCapabilities
        .filter((name) => !declared.includes(name))
        .map((name) => `surfaces.${surface}.${index}: capability '${name}' is not declared`),
    ),
  )
  const contributions = surfaces.promptContributions.map(({ id }) => id)
  return [
    ...duplicatesOf(declared).map((name) => `capability '${name}' is declared twice`),
    ...duplicatesOf(contributions).map((name) => `prompt contribution '${name}' is declared twice`),
    ...undeclared,
    ...(source === 'bundled' ? [] : listForeignRules(id, trustTier)),
    ...(source === 'bundled' ? [] : listContentRules(surfaces)),
  ]
}

function listForeignRules(id: string, tier: string): readonly string[] {
  return [
    ...(tier === 'core' ? ["trustTier 'core' is reserved for bundled plugins"] : []),
    ...(id.startsWith(ownPrefix) ? [`ids that begin with '${ownPrefix}' are reserved`] : []),
  ]
}

function listContentRules({ promptContributions }: Surfaces): readonly string[] {
  return promptContributions
    .filter(({ content, contentFile }) => (content === undefined) === (contentFile === undefined))
    .map(({ id }) => `prompt contribution '${id}' needs either content or contentFile`)
}

function duplicatesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

export const noSurfaces: Surfaces = surfaces.parse({})
