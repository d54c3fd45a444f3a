import { z } from 'zod'
import { integer, readDate, required, text } from '../../kernel/http/wire-values.ts'

const skill = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  author: z.string(),
  maintainer: z.string(),
  license: z.string(),
  user_invocable: z.boolean(),
  arg_hint: z.string(),
  verified: z.boolean(),
  permissions: z.array(z.string()),
  path: z.string(),
})

export const listReply = z.object({
  skills: z.array(skill),
  count: z.number(),
  error: z.string().optional(),
})

export const byName = z.object({
  name: z.string().describe('Name of the skill, which is that of its folder.'),
})

export const skillReply = skill.extend({ content: z.string().describe('The whole `SKILL.md`.') })

export const searchQuery = z.object({ q: text.describe('Words of the name or the description.') })

export const searchReply = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      installed: z.boolean(),
      fullName: z.string().optional(),
      installs: z.number().optional(),
      provider: z.string().optional(),
    }),
  ),
})

export const installBody = z.object({
  name: required('name').describe('Name of the skill.'),
  source: text.describe(
    'A package, `owner/repository`, or the absolute path of a folder, a `.tar.gz` or a `.tgz`; default: the name.',
  ),
})

export const installedReply = z.object({
  success: z.literal(true),
  name: z.string(),
  output: z.string(),
})

export const deletedReply = z.object({
  success: z.literal(true),
  name: z.string(),
  message: z.string(),
})

export const analyticsQuery = z.object({
  agent_id: text.describe('The agent whose calls are counted; default: that of the caller.'),
  since: text
    .transform((input, context) => {
      const date = input?.endsWith('Z') ? readDate(input) : undefined
      if (input === undefined || date) return date?.toISOString()
      context.addIssue({
        code: 'custom',
        message: 'since must be an ISO 8601 time that ends with Z',
      })
      return z.NEVER
    })
    .describe('Only calls at or after this time; it must end with `Z`.'),
  limit: integer('limit', { min: 1, max: 100, default: 10 }).describe(
    'Maximum skills in the list, 1 to 100; default 10.',
  ),
})

export const analyticsReply = z.object({
  totalCalls: z.number(),
  successRate: z.number().describe('From 0 to 1.'),
  topSkills: z.array(
    z.object({
      skillName: z.string(),
      count: z.number(),
      successCount: z.number(),
      avgLatencyMs: z.number(),
    }),
  ),
  latency: z.object({ p50: z.number(), p95: z.number() }),
})
