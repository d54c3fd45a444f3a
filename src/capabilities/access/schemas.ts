import { z } from 'zod'
import { permissionsOf } from '../../kernel/auth/caller.ts'
import { toScopeName } from '../../kernel/auth/token.ts'
import * as value from '../../kernel/http/wire-values.ts'
import { holdsSecret } from '../../kernel/redaction/redact.ts'
import type { ApiKey } from './keys/api-key.ts'

const roles = ['admin', 'operator', 'agent', 'readonly'] as const
const permissionNames = [...permissionsOf.admin, 'gateway']
const modes = ['local', 'team', 'hybrid'] as const
/** One year. */
const maxTtlSeconds = 31_536_000

/** Names the first key that the schema does not have, below `prefix`. */
function nameUnknown(fallback: string, prefix = '') {
  return (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? `${prefix}${issue.keys[0]} is not known` : fallback
}

/** Strict, because a misspelt key would issue a token without its limit. */
const scope = z.strictObject(
  {
    project: toScopeName('scope.project').optional(),
    agent: toScopeName('scope.agent').optional(),
  },
  { error: nameUnknown('scope must be an object with project or agent', 'scope.') },
)

const permissionList = z
  .array(
    z.string('permissions must be a list of names').meta({ enum: permissionNames }),
    'permissions must be a list of names',
  )
  .min(1, 'permissions must name at least one')
  .max(16, 'permissions must name at most 16')

export const tokenBody = z.strictObject(
  {
    role: z.enum(roles, `role must be one of ${roles.join(', ')}`),
    scope: scope.default({}),
    /** Restricts the permissions of the role. */
    permissions: permissionList.optional(),
    ttlSeconds: z
      .int('ttlSeconds must be a whole number of seconds')
      .min(1, 'ttlSeconds must be at least 1')
      .max(maxTtlSeconds, `ttlSeconds must be at most ${maxTtlSeconds}`)
      .optional(),
    sub: value.text,
  },
  { error: nameUnknown('the body must be an object') },
)

export const tokenReply = z.object({ token: z.string(), expiresAt: z.iso.datetime() })

export const credentialReply = z.object({
  authenticated: z.boolean(),
  claims: z
    .object({
      sub: z.string(),
      name: z.string().optional(),
      role: z.enum(roles),
      scope,
      permissions: z.array(z.string()).optional(),
      /** The projects of which a request names one. */
      projects: z.array(z.string()).optional(),
      /** The id of the API key. */
      key: z.string().optional(),
      iat: z.int(),
      /** Absent for an API key without an end. */
      exp: z.int().optional(),
    })
    .nullable(),
  /** Trusted without a token, as a local connection. */
  trustedLocal: z.boolean(),
  effectiveAccess: z.enum([...roles, 'none']),
  /** Why the credential is invalid. */
  error: z.string().nullable(),
  permissions: z.array(z.string()),
  mode: z.enum(modes),
  providers: z.array(z.string()),
})

export const methodsReply = z.object({
  mode: z.enum(modes),
  methods: z.array(z.object({ name: z.string(), available: z.boolean() })),
})

export const emptyBody = z.object({})

export const byId = z.object({ id: z.string().max(128) })

const maxLabel = 128
const maxProjects = 32

function label(name: string) {
  return value
    .identifier(name)
    .refine((text) => (text ?? '').length <= maxLabel, `${name} exceeds ${maxLabel} characters`)
}

/** Strict, because a misspelt key would create a key without its limit. */
export const keyBody = z.strictObject(
  {
    name: value
      .requiredCleanText('name')
      .refine((name) => name.length <= maxLabel, `name exceeds ${maxLabel} characters`)
      .describe('Name of the key in lists, at most 128 characters.'),
    role: z.enum(roles, `role must be one of ${roles.join(', ')}`).default('agent'),
    scope: scope
      .refine(hasNoSecret, `scope ${value.secretRule}`)
      .default({})
      .describe('Limits the key to an agent or a project; the permission admin overrides it.'),
    permissions: permissionList.optional().describe('Restricts the permissions of the role.'),
    connector: label('connector').describe('Recorded only.'),
    harness: label('harness').describe('Recorded only.'),
    agentId: z
      .string('agentId must be a text')
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'agentId must be the name of an agent')
      .optional()
      .describe('The only agent of the key, as in the scope.'),
    allowedProjects: z
      .array(toScopeName('allowedProjects').max(1024), 'allowedProjects must be a list of names')
      .min(1, 'allowedProjects must name at least one')
      .max(maxProjects, `allowedProjects must name at most ${maxProjects}`)
      .refine(hasNoSecret, `allowedProjects ${value.secretRule}`)
      .optional()
      .describe('The only projects of the key. A request names one in `x-svc-project`.'),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'expiresAt must be a time such as 2030-01-31T00:00:00Z' })
      .optional()
      .describe('End of the key; without one it ends when it is revoked.'),
  },
  { error: nameUnknown('the body must be an object') },
)

function hasNoSecret(names: object): boolean {
  return Object.values(names).every((name) => !holdsSecret(String(name)))
}

const time = z.iso.datetime().nullable()
const keyFields = {
  id: z.string(),
  /** The public part, which begins the text of the key. */
  prefix: z.string(),
  name: z.string(),
  role: z.enum(roles),
  scope,
  permissions: z.array(z.string()).nullable(),
  connector: z.string().nullable(),
  harness: z.string().nullable(),
  agentId: z.string().nullable(),
  allowedProjects: z.array(z.string()).nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: time,
  revokedAt: time,
  expiresAt: time,
}

export const keyReply = z.object(keyFields)
export const keysReply = z.object({ keys: z.array(keyReply) })
/** With the text of the key, which no other reply has. */
export const createdKeyReply = z.object({ ...keyFields, key: z.string() })

/** Without the digest. */
export function toKeyReply({ digest: _, ...key }: ApiKey): z.input<typeof keyReply> {
  const { permissions, allowedProjects } = key
  return {
    ...key,
    permissions: permissions && [...permissions],
    allowedProjects: allowedProjects && [...allowedProjects],
  }
}

export const loginBody = z.object({
  username: z
    .string('username is required')
    .min(1, 'username is required')
    .max(128, 'username exceeds 128 characters'),
  password: z
    .string('password is required')
    .min(1, 'password is required')
    .max(1024, 'password exceeds 1024 characters')
    .meta({ format: 'password' }),
})

export const loginReply = z.object({
  token: z.string(),
  expiresAt: z.iso.datetime(),
  role: z.literal('admin'),
  username: z.string(),
})

const sessionFields = { expiresAt: z.iso.datetime(), role: z.enum(roles), sub: z.string() }

export const sessionReply = z.union([
  z.object({ token: z.string(), ...sessionFields }),
  /** With a cookie there is no token. A page sends `csrf` in `x-svc-csrf`. */
  z.object({ csrf: z.string(), ...sessionFields }),
])

const cookieFlag = z
  .boolean('cookie must be true or false')
  .default(false)
  .describe('Sets a cookie for the page instead of returning a token.')

export const sessionBody = z.object({ cookie: cookieFlag })

/** Who is signed in, for the dashboard. */
export const signedInReply = z.object({
  signedIn: z.boolean(),
  mode: z.enum(modes),
  /** The recorded author of changes; null without a sign-in. */
  name: z.string().nullable(),
  role: z.enum([...roles, 'none']),
  agentId: z.string(),
  permissions: z.array(z.string()),
  /** The names of the operations of this build that the caller may call. */
  operations: z.array(z.string()),
  /** End of the session or the token; null without one. */
  expiresAt: z.iso.datetime().nullable(),
  /** Sent back in `x-svc-csrf`; only for a page of this service with its cookie. */
  csrf: z.string().optional(),
})

export const handoffReply = z.object({ code: z.string(), expiresAt: z.iso.datetime() })

export const redeemBody = z.object({
  code: z.string('code is required').regex(/^[\w-]{1,128}$/, 'code must be the code of a hand-off'),
  cookie: cookieFlag,
})

/** The rest of a path below a sign-in method, such as `callback`. */
export const wildcardParams = z.object({ rest: z.string() })

export const absentReply = z.object({ error: z.string(), code: z.literal('not_implemented') })
