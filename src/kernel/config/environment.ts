import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { logLevels } from '../log/log.ts'
import { ConfigError, toWorkspace } from './workspace.ts'

export const authModes = ['local', 'team', 'hybrid'] as const

const wholePort = 'must be a whole number from 0 to 65535; 0 takes a free port'
const port = z
  .string()
  .regex(/^\d{1,5}$/, wholePort)
  .transform(Number)
  .pipe(z.number().max(65_535, wholePort))

const agentName = 'must be 1 to 64 letters, digits, . _ or -, and begin with a letter or digit'

/** A value that is no positive integer counts as absent. */
const positive = (byDefault: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .transform(Number)
    .default(byDefault)
    .catch(byDefault)

export const variables = z.object({
  SVC_PATH: z.string().default('~/.svc').transform(toWorkspace),
  SVC_HOST: z.string().regex(/^\S+$/, 'must be an address or a name').default('127.0.0.1'),
  SVC_PORT: port.default(3850),
  SVC_AGENT_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, agentName)
    .default('default'),
  SVC_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be an address such as postgres://host/name' })
    .optional(),
  SVC_AUTH_MODE: z.enum(authModes, `must be one of ${authModes.join(', ')}`).optional(),
  SVC_LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).optional(),
  SVC_LOG_DIR: z.string().optional(),
  SVC_LOG_FILE: z.string().regex(/[^/]$/, 'must be the path of a file').optional(),
  SVC_SECRETS_KEY_FILE: z
    .string()
    .refine((path) => isAbsolute(path) || path.startsWith('~/'), 'must be an absolute path')
    .optional(),
  SVC_TELEMETRY_OPTOUT: z.stringbool('must be true or false, or 1 or 0').default(false),
  SVC_SUPERVISED: z.stringbool('must be true or false, or 1 or 0').default(false),
  SVC_INFERENCE_MAX_CONCURRENT_EXECUTES: positive(8),
  SVC_INFERENCE_MAX_CONCURRENT_NATIVE_STREAMS: positive(8),
  SVC_INFERENCE_MAX_CONCURRENT_GATEWAY_STREAMS: positive(16),
  SVC_INFERENCE_MAX_CONCURRENT_TOTAL: positive(24),
  /** The home folder of the harness that reads notes. */
  CODEX_HOME: z.string().default(join(homedir(), '.codex')),
})
export type Environment = z.output<typeof variables>

/** Reads the environment variables; an empty one counts as absent. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const presentVariables = Object.entries(env).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  const { data, error } = variables.safeParse(Object.fromEntries(presentVariables))
  if (data) return data
  const issues = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new ConfigError(`${issues.join('; ')}.`)
}

/** Reads all variables of the daemon, to build the environment of a child. */
export function readVariables(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** Reads a variable that the settings name, so that the file need not contain a secret. */
export function readVariable(name: string): string | undefined {
  return process.env[name] || undefined
}
