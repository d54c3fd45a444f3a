import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'
import type { TokenRequest } from './issue.ts'
import type { Standing } from './who-am-i.ts'

const roles = ['admin', 'operator', 'agent', 'readonly'] as const
const modes = ['local', 'team', 'hybrid'] as const
/** Seconds; a year. */
const longestLife = 31_536_000

const scope = z.object(
  {
    project: z.string().min(1).optional(),
    agent: z.string().min(1).optional(),
    user: z.string().min(1).optional(),
  },
  'scope must be an object with project, agent or user',
)

export const tokenBody = z
  .object({
    role: z.enum(roles, `role must be one of ${roles.join(', ')}`),
    scope: scope.default({}),
    ttlSeconds: z
      .int('ttlSeconds must be a whole number of seconds')
      .min(1, 'ttlSeconds must be at least 1')
      .max(longestLife, `ttlSeconds must be at most ${longestLife}`)
      .optional(),
    sub: read.text,
  })
  .transform(({ role, scope, ttlSeconds, sub }): TokenRequest => ({ role, scope, ttlSeconds, sub }))

export const tokenReply = z.object({ token: z.string(), expiresAt: z.iso.datetime() })

export const standingReply = z.object({
  authenticated: z.boolean(),
  claims: z
    .object({
      sub: z.string(),
      name: z.string().optional(),
      role: z.enum(roles),
      scope,
      iat: z.int(),
      exp: z.int(),
    })
    .nullable(),
  trustedLocal: z.boolean(),
  effectiveAccess: z.enum([...roles, 'none']),
  error: z.string().nullable(),
  permissions: z.array(z.string()),
  mode: z.enum(modes),
  providers: z.array(z.string()),
})

export const methodsReply = z.object({
  mode: z.enum(modes),
  methods: z.array(z.object({ name: z.string(), available: z.boolean() })),
})

export function toStandingReply(standing: Standing): z.input<typeof standingReply> {
  const { permissions, providers, ...rest } = standing
  return { ...rest, permissions: [...permissions], providers: [...providers] }
}
