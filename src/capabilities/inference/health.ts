import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { InferenceConfig } from './config/config.ts'
import type { InferenceRuntime } from './create-router.ts'

/** Models are optional, so readiness does not depend on them. */
export function inferenceHealth(router: InferenceRuntime): HealthCheck {
  return {
    name: 'inference',
    check: async () => {
      const config = router.settings.current()
      const configured = config.models.size > 0
      if (!config.enabled && config.issues.length === 0) {
        const reason = 'no model is configured'
        return {
          status: 'disabled',
          reasons: [],
          details: { configured, effective: false, reason },
        }
      }
      await router.states.update(config)
      const budgets = await router.budgets.list(config)
      const stopped = budgets.filter(({ state }) => state === 'stopped').map(({ id }) => id)
      const reasons = [
        ...listSettingsProblems(config),
        ...stopped.map((id) => `the budget ${id} is used up: raise it or wait for its next period`),
        ...listTargetProblems(router, config),
      ]
      const effective = config.enabled && !hasError(config)
      const reason = reasons[0] ?? null
      const issues = config.issues.length
      return toHealth(reasons, { configured, effective, reason, issues, stoppedBudgets: stopped })
    },
  }
}

function hasError({ issues }: InferenceConfig): boolean {
  return issues.some(({ severity }) => severity === 'error')
}

function listSettingsProblems({ issues }: InferenceConfig): string[] {
  const [first] = issues
  if (!first) return []
  const more = issues.length > 1 ? ` and ${issues.length - 1} more` : ''
  return [`${first.field} is invalid${more}: run \`reverie inference status\``]
}

const remedies = {
  rate_limited: 'wait, or add a fallback',
  expired: 'renew its credential',
  missing: 'set the variable or the secret that credentialRef names',
} as const

function listTargetProblems(router: InferenceRuntime, config: InferenceConfig): string[] {
  const problems = [...config.models].flatMap(([ref, { target }]) => {
    const { accountState, unavailableReason } = router.states.read(config, ref)
    const subject =
      target.account === undefined ? `target ${target.id}` : `account ${target.account}`
    const isMarked = accountState !== 'ready' && accountState !== 'unknown'
    const account = isMarked ? [`the ${subject} is ${accountState}: ${remedies[accountState]}`] : []
    return unavailableReason === undefined
      ? account
      : [...account, `the target ${target.id} cannot run: ${unavailableReason}`]
  })
  return [...new Set(problems)]
}
