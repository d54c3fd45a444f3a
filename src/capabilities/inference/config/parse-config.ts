import { z } from 'zod'
import { isMapping } from '../../../kernel/files/read-text.ts'
import type { InferenceConfig, Limits, Policy, Workload } from './config.ts'
import {
  accountShape,
  agentShape,
  budgetShape,
  foldNames,
  idPattern,
  oauthShape,
  policyShape,
  taskClassShape,
  type WorkloadName,
  workloadNames,
  workloadShape,
} from './entries.ts'
import { createIssues, findBrokenReferences, type Issues, maxIssues } from './issues.ts'
import { parseMap } from './parse-map.ts'
import { listModels, parseTargets } from './parse-targets.ts'
import { limitsShape } from './settings.ts'

const mapNames = [
  'accounts',
  'targets',
  'policies',
  'taskClasses',
  'workloads',
  'agents',
  'budgets',
  'limits',
  'oauth',
]
const sectionNames = ['enabled', 'defaultPolicy', ...mapNames]
const oauthIds = /^[a-z0-9][a-z0-9._-]{0,127}$/
/** The policy over all targets, when the settings have none. */
const implicitPolicy = 'auto'

interface RawSettings {
  /** The section `inference`. */
  readonly section: unknown
  /** The section `memory.pipelineV2.extraction`. */
  readonly extraction: unknown
}

const foldSection = foldNames({ providers: 'targets' })

/** False if the section, or one of its mappings, has another type as a whole. */
export function isWellFormed(section: unknown): boolean {
  const isAbsentOrMapping = (value: unknown) =>
    value === undefined || value === null || isMapping(value)
  const folded: unknown = foldSection(section)
  return (
    isAbsentOrMapping(folded) && mapNames.every((name) => isAbsentOrMapping(Object(folded)[name]))
  )
}

/** Never throws: an invalid entry is left out and listed in `issues`. */
export function parseConfig({ section, extraction }: RawSettings): InferenceConfig {
  const issues = createIssues()
  const isAbsent = section === undefined || section === null
  const legacy = isAbsent ? toLegacySection(extraction) : undefined
  const raw = legacy ?? section
  if (!isAbsent && !isMapping(section))
    issues.warn('inference', '', 'The section is no mapping. It is ignored.')
  const folded = foldSection(raw)
  const parsed = parseSection(issues, isMapping(folded) ? folded : {})
  const source = legacy ? 'legacy-implicit' : 'explicit'
  const config = { ...parsed, source: parsed.enabled ? source : 'disabled' } as const
  return {
    ...config,
    issues: [...findBrokenReferences(config), ...issues.list()].slice(0, maxIssues),
  }
}

function parseSection(issues: Issues, section: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(section).filter((name) => !sectionNames.includes(name)))
    issues.warn('inference', name, 'This setting is unknown.')
  const accounts = parseMap(issues, section['accounts'], {
    field: 'inference.accounts',
    shape: accountShape,
    aliases: { secretRef: 'credentialRef' },
  })
  const targets = parseTargets(issues, section['targets'])
  const models = listModels(issues, targets)
  const policies = parseMap(issues, section['policies'], {
    field: 'inference.policies',
    shape: policyShape,
  })
  const defaultPolicy = parseText(issues, 'defaultPolicy', section['defaultPolicy'])
  return {
    enabled: parseEnabled(issues, section['enabled']) ?? models.size > 0,
    accounts,
    targets,
    models,
    ...choosePolicies(policies, defaultPolicy),
    taskClasses: parseTaskClasses(issues, section['taskClasses']),
    workloads: parseWorkloads(issues, section['workloads']),
    agents: parseMap(issues, section['agents'], { field: 'inference.agents', shape: agentShape }),
    budgets: parseBudgets(issues, section['budgets']),
    oauth: parseMap(issues, section['oauth'], {
      field: 'inference.oauth',
      shape: oauthShape,
      ids: oauthIds,
    }),
    limits: parseLimits(issues, section['limits']),
  }
}

function parseEnabled(issues: Issues, value: unknown): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined
  issues.warn('inference.enabled', '', 'must be true or false')
  return undefined
}

/** An invalid name stays, so that it is reported as a broken reference. */
function parseText(issues: Issues, name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && idPattern.test(value)) return value
  issues.warn(`inference.${name}`, '', 'must be the id of a policy')
  return '(invalid)'
}

function choosePolicies(policies: Map<string, Policy>, defaultPolicy: string | undefined) {
  if (policies.size > 0) return { policies, defaultPolicy }
  // `default` is an older name of the implicit policy.
  const id = defaultPolicy === 'default' ? defaultPolicy : implicitPolicy
  const all = z.object(policyShape).parse({})
  return { policies: new Map([[id, all]]), defaultPolicy: defaultPolicy ?? id }
}

/** An invalid task class accepts local targets only: its privacy may be what is invalid. */
function parseTaskClasses(issues: Issues, value: unknown) {
  const field = 'inference.taskClasses'
  const parsed = parseMap(issues, value, { field, shape: taskClassShape })
  const strictest = z.object(taskClassShape).parse({ privacy: 'local_only' })
  const invalid = Object.keys(isMapping(value) ? value : {}).filter((id) => !parsed.has(id))
  for (const id of invalid.filter((id) => idPattern.test(id))) {
    parsed.set(id, strictest)
    issues.warn(`${field}.${id}`, id, 'Requests of this class use local targets only.')
  }
  return parsed
}

function parseWorkloads(
  issues: Issues,
  value: unknown,
): Readonly<Partial<Record<WorkloadName, Workload>>> {
  const field = 'inference.workloads'
  const parsed = parseMap(issues, foldNames()(value), { field, shape: workloadShape })
  const isKnown = (name: string) => workloadNames.some((known) => known === name)
  for (const name of [...parsed.keys()].filter((name) => !isKnown(name)))
    issues.warn(field, name, `must be one of ${workloadNames.join(', ')}`)
  return Object.fromEntries([...parsed].filter(([name]) => isKnown(name)))
}

function parseBudgets(issues: Issues, value: unknown) {
  const field = 'inference.budgets'
  const parsed = parseMap(issues, value, { field, shape: budgetShape })
  for (const [id, { maxCost, maxTokens }] of parsed) {
    if (maxCost !== undefined || maxTokens !== undefined) continue
    issues.warn(`${field}.${id}`, id, 'A budget needs maxCost or maxTokens. The entry is ignored.')
    parsed.delete(id)
  }
  return parsed
}

/** An invalid limit has its default. */
function parseLimits(issues: Issues, value: unknown): Limits {
  const folded = foldNames()(value ?? {})
  if (!isMapping(folded)) issues.warn('inference.limits', '', 'This is no mapping.')
  const entries = isMapping(folded) ? folded : {}
  const valid = Object.entries(entries).filter(([name, limit]) => {
    const schema: z.ZodType | undefined = new Map(Object.entries(limitsShape)).get(name)
    const { error } = (schema ?? z.never('is unknown')).safeParse(limit)
    if (error) issues.warn(`inference.limits.${name}`, name, error.issues[0]?.message ?? '')
    return !error
  })
  return z.object(limitsShape).parse(Object.fromEntries(valid))
}

/** One target with one model, from the setting of earlier versions. */
function toLegacySection(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const { provider, model, endpoint, credentialRef } = Object(foldNames()(value))
  if (typeof provider !== 'string' || ['none', 'disabled', ''].includes(provider)) return undefined
  const account = { kind: 'api', providerFamily: provider, credentialRef }
  const target = {
    executor: provider,
    models: { default: { model } },
    ...(endpoint !== undefined && { endpoint }),
    ...(credentialRef !== undefined && { account: 'extraction' }),
  }
  return {
    targets: { extraction: target },
    ...(credentialRef !== undefined && { accounts: { extraction: account } }),
  }
}
