import { z } from 'zod'
import { permissionsOf } from '../../kernel/auth/caller.ts'
import { toScopeName } from '../../kernel/auth/token.ts'
import * as value from '../../kernel/http/wire-values.ts'

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

export const tokenBody = z.strictObject(
  {
    role: z.enum(roles, `role must be one of ${roles.join(', ')}`),
    scope: scope.default({}),
    /** Restricts the permissions of the role. */
    permissions: z
      .array(
        z.string('permissions must be a list of names').meta({ enum: permissionNames }),
        'permissions must be a list of names',
      )
      .min(1, 'permissions must name at least one')
      .max(16, 'permissions must name at most 16')
      .optional(),
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
      iat: z.int(),
      exp: z.int(),
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
