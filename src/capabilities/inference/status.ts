import { Reply } from '../../kernel/http/route.ts'
import type { InferenceConfig } from './config/config.ts'
import type { InferenceRuntime } from './create-router.ts'
import { defaultAgentId } from './decision/order.ts'

/** Neither references of credentials nor of sessions are shown. */
export async function readStatus(router: InferenceRuntime, refresh: boolean) {
  const config = router.settings.current()
  const issues = config.issues.filter(({ severity }) => severity === 'error')
  const warnings = config.issues.filter(({ severity }) => severity === 'warning')
  const [first] = issues
  if (first) {
    const code = 'inference_settings_invalid'
    const reply = { error: first.message, code, details: { issues, warnings } }
    return new Reply<never>(400, reply as never)
  }
  await router.states.update(config, refresh)
  const { enabled, source, targets, agents } = config
  return {
    enabled,
    source,
    defaultPolicy: enabled ? (config.defaultPolicy ?? null) : null,
    defaultAgentId: defaultAgentId(agents),
    policies: [...config.policies.keys()],
    taskClasses: [...config.taskClasses.keys()],
    targetRefs: [...config.models.keys()],
    workloadBindings: config.workloads,
    configIssues: config.issues,
    runtimeSnapshot: { targets: readStates(router, config) },
    concurrency: { active: router.concurrency.active(), limits: router.concurrency.limits },
    accounts: toRecord(config.accounts, ({ kind, providerFamily, label }) => ({
      kind,
      providerFamily,
      ...(label !== undefined && { label }),
    })),
    targets: toRecord(targets, ({ kind, executor, account, privacy, models }) => ({
      kind,
      executor,
      ...(account !== undefined && { account }),
      privacy,
      models: toRecord(models, ({ model, label }) => ({
        model,
        ...(label !== undefined && { label }),
      })),
    })),
    agents: [...agents.keys()],
    budgets: await router.budgets.list(config),
  }
}

function readStates(router: InferenceRuntime, config: InferenceConfig) {
  return toRecord(config.models, ({ ref }) => router.states.read(config, ref))
}

function toRecord<Value, Summary>(
  map: ReadonlyMap<string, Value>,
  toSummary: (value: Value) => Summary,
): Record<string, Summary> {
  return Object.fromEntries([...map].map(([id, value]) => [id, toSummary(value)]))
}
