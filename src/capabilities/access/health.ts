import type { HealthCheck } from '../../kernel/health/health.ts'
import { toHealth } from '../../kernel/health/health.ts'
import { maxLiveKeys } from './keys/api-key.ts'
import type { AccessNeeds } from './needs.ts'
import type { PasswordLogin } from './sign-in/password.ts'
import { countLiveKeys } from './store/api-keys.ts'

/** Health warns before no more keys can be created. */
const nearlyFull = 0.9 * maxLiveKeys

type Needs = Pick<AccessNeeds, 'db' | 'host'> & { readonly login: PasswordLogin }

export function accessHealth({ db, host, login }: Needs): HealthCheck {
  return {
    name: 'access',
    check: async () => {
      const keys = await countLiveKeys(db, host.now().toISOString())
      const full = keys >= nearlyFull && `${keys} of ${maxLiveKeys} API keys are live`
      return toHealth([full, login.problem], {
        keys,
        limit: maxLiveKeys,
        passwordLogin: login.isConfigured,
      })
    },
  }
}
