import type { Environment } from './environment.ts'

/** The setting that each variable overrides. */
export const variableOfSetting: Readonly<Record<string, keyof Environment>> = {
  'auth.mode': 'SVC_AUTH_MODE',
  'database.url': 'SVC_DATABASE_URL',
  'logging.dir': 'SVC_LOG_DIR',
  'logging.level': 'SVC_LOG_LEVEL',
  'secrets.keyFile': 'SVC_SECRETS_KEY_FILE',
  'telemetry.enabled': 'SVC_TELEMETRY_OPTOUT',
}

/** A setting whose value comes from an environment variable. */
export interface HeldSetting {
  readonly setting: string
  readonly variable: string
  readonly value: unknown
}

/** An opt-out of telemetry decides the setting only when it is on. */
export function listHeldSettings(environment: Environment): HeldSetting[] {
  return Object.entries(variableOfSetting).flatMap(([setting, variable]) => {
    const value = environment[variable]
    if (value === undefined || value === false) return []
    return [{ setting, variable, value: value === true ? false : value }]
  })
}
