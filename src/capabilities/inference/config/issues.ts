import type { InferenceConfig, Issue } from './config.ts'

export interface Issues {
  warn(field: string, ref: string, message: string): void
  list(): readonly Issue[]
}

export const maxIssues = 200
const maxRefLength = 160

export function createIssues(): Issues {
  const issues: Issue[] = []
  return {
    warn: (field, ref, message) => {
      if (issues.length >= maxIssues) return
      issues.push({ severity: 'warning', field, ref: ref.slice(0, maxRefLength), message })
    },
    list: () => issues,
  }
}

type Parsed = Omit<InferenceConfig, 'issues'>

/** Ids and refs that nothing defines. */
export function findBrokenReferences(config: Parsed): Issue[] {
  const { defaultPolicy, policies } = config
  const broken = listReferences(config).flatMap(({ field, refs, known }) =>
    refs
      .filter((ref) => !known.has(ref))
      .map((ref) => ({
        severity: 'warning' as const,
        field,
        ref,
        message: `${ref} is not defined.`,
      })),
  )
  if (defaultPolicy === undefined || policies.has(defaultPolicy)) return broken
  const message = `The policy ${defaultPolicy} is not defined. Define it under inference.policies.`
  const ref = defaultPolicy.slice(0, maxRefLength)
  const error = { severity: 'error' as const, field: 'inference.defaultPolicy', ref, message }
  return [error, ...broken]
}

interface References {
  readonly field: string
  readonly refs: readonly string[]
  readonly known: { has(ref: string): boolean }
}

function listReferences(config: Parsed): References[] {
  const { accounts, models, policies, taskClasses } = config
  const defined = (value: string | undefined) => (value === undefined ? [] : [value])
  return [
    ...[...config.targets].map(([id, { account }]) => ({
      field: `inference.targets.${id}.account`,
      refs: defined(account),
      known: accounts,
    })),
    ...[...policies].flatMap(([id, policy]) =>
      Object.entries({
        allow: policy.allow,
        deny: policy.deny,
        defaultTargets: policy.defaultTargets,
        fallbackTargets: policy.fallbackTargets,
        taskTargets: Object.values(policy.taskTargets).flat(),
      }).map(([name, refs]) => ({
        field: `inference.policies.${id}.${name}`,
        refs,
        known: models,
      })),
    ),
    ...[...taskClasses].map(([id, { preferredTargets: refs }]) => ({
      field: `inference.taskClasses.${id}.preferredTargets`,
      refs,
      known: models,
    })),
    ...Object.entries(config.workloads).flatMap(([name, { policy, taskClass, target }]) => [
      { field: `inference.workloads.${name}.policy`, refs: defined(policy), known: policies },
      {
        field: `inference.workloads.${name}.taskClass`,
        refs: defined(taskClass).filter((id) => !builtInTaskClasses.has(id)),
        known: taskClasses,
      },
      { field: `inference.workloads.${name}.target`, refs: defined(target), known: models },
    ]),
    ...[...config.agents].flatMap(([id, agent]) => [
      {
        field: `inference.agents.${id}.defaultPolicy`,
        refs: defined(agent.defaultPolicy),
        known: policies,
      },
      { field: `inference.agents.${id}.roster`, refs: agent.roster, known: models },
      {
        field: `inference.agents.${id}.preferredTargets`,
        refs: Object.values(agent.preferredTargets).flat(),
        known: models,
      },
      {
        field: `inference.agents.${id}.pinnedTargets`,
        refs: Object.values(agent.pinnedTargets),
        known: models,
      },
    ]),
  ]
}

/** Names that the classifier gives without settings of their own. */
const builtInTaskClasses: ReadonlySet<string> = new Set([
  'hard_coding',
  'local_sensitive',
  'memory_extraction',
  'session_synthesis',
  'interactive',
])
