import type { DomainCheck, DomainFinding } from '../../kernel/capability/domain.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { InferenceConfig, TargetConfig } from './config/config.ts'
import type { InferenceRuntime } from './create-router.ts'
import { isLoginBacked } from './runtime/credential.ts'

/** Models are optional, so readiness does not depend on them. */
export function inferenceHealth(router: InferenceRuntime): HealthCheck {
  return {
    name: 'inference',
    check: async () => {
      const config = router.settings.current()
      const configured = config.models.size > 0
      if (isUnused(config)) {
        const reason = 'no model is configured'
        return {
          status: 'disabled',
          reasons: [],
          details: { configured, effective: false, reason },
        }
      }
      const { problems, stopped } = await findProblems(router, config)
      const reasons = problems.map(({ detail, remedy }) => `${detail}: ${remedy}`)
      const effective = config.enabled && !hasError(config)
      const reason = reasons[0] ?? null
      const issues = config.issues.length
      return toHealth(reasons, { configured, effective, reason, issues, stoppedBudgets: stopped })
    },
  }
}

/** Each problem with its own fix. Not scored: the service works without a model. */
export function inferenceDomain(router: InferenceRuntime): DomainCheck {
  return {
    domain: 'inference',
    weight: null,
    isScored: false,
    check: async () => {
      const config = router.settings.current()
      if (isUnused(config)) return { fields: { status: 'disabled' }, findings: [] }
      const { problems, stopped } = await findProblems(router, config)
      const status = problems.length === 0 ? 'ok' : 'degraded'
      const findings = problems.map(toFinding)
      return { fields: { status, stoppedBudgets: stopped }, findings }
    },
  }
}

interface Problem {
  readonly code: string
  readonly detail: string
  readonly remedy: string
  /** The command that fixes it, or shows more. */
  readonly command: string
}

function toFinding({ code, detail, remedy, command }: Problem): DomainFinding {
  return { code, penalty: 0, detail: `${detail}: ${remedy}`, fix: { command, route: null } }
}

function isUnused({ enabled, issues }: InferenceConfig): boolean {
  return !enabled && issues.length === 0
}

async function findProblems(router: InferenceRuntime, config: InferenceConfig) {
  await router.states.update(config)
  const budgets = await router.budgets.list(config)
  const stopped = budgets.filter(({ state }) => state === 'stopped').map(({ id }) => id)
  const problems: readonly Problem[] = [
    ...listSettingsProblems(config),
    ...stopped.map((id) => ({
      code: 'budget_stopped',
      detail: `the budget ${id} is used up`,
      remedy: 'raise it or wait for its next period',
      command: `reverie config get inference.budgets.${id}`,
    })),
    ...listTargetProblems(router, config),
  ]
  return { problems, stopped }
}

function hasError({ issues }: InferenceConfig): boolean {
  return issues.some(({ severity }) => severity === 'error')
}

function listSettingsProblems({ issues }: InferenceConfig): readonly Problem[] {
  const [first] = issues
  if (!first) return []
  const more = issues.length > 1 ? ` and ${issues.length - 1} more` : ''
  const command = 'reverie inference status'
  const detail = `${first.field} is invalid${more}`
  return [{ code: 'settings_invalid', detail, remedy: 'correct the settings', command }]
}

const remedies = {
  rate_limited: 'wait, or add a fallback',
  expired: 'renew its credential',
  missing: 'set the variable or the secret that credentialRef names',
} as const

function listTargetProblems(router: InferenceRuntime, config: InferenceConfig): Problem[] {
  const problems = [...config.models].flatMap(([ref, { target }]) => {
    const { accountState, unavailableReason } = router.states.read(config, ref)
    const isMarked = accountState !== 'ready' && accountState !== 'unknown'
    const account = isMarked ? [toAccountProblem(config, target, accountState)] : []
    if (unavailableReason === undefined) return account
    return [...account, toTargetProblem(ref, target, unavailableReason)]
  })
  return [...new Map(problems.map((problem) => [problem.detail, problem])).values()]
}

function toAccountProblem(
  config: InferenceConfig,
  { account: id, id: targetId }: TargetConfig,
  state: keyof typeof remedies,
): Problem {
  const account = config.accounts.get(id ?? '')
  const subject = id === undefined ? `target ${targetId}` : `account ${id}`
  const code = `account_${state}`
  const detail = `the ${subject} is ${state}`
  if (state !== 'rate_limited' && account && isLoginBacked(config, account)) {
    const command = `reverie inference login ${account.providerFamily}`
    return { code, detail, remedy: 'sign in', command }
  }
  const key = id === undefined ? `targets.${targetId}` : `accounts.${id}`
  return { code, detail, remedy: remedies[state], command: `reverie config get inference.${key}` }
}

function toTargetProblem(ref: string, { id }: TargetConfig, reason: string): Problem {
  const detail = `the target ${id} cannot run`
  const command = `reverie inference test ${ref}`
  return { code: 'target_unavailable', detail, remedy: reason.replace(/\.$/, ''), command }
}
