import { z } from 'zod'
import { gitName, syncInterval } from './config.ts'
import { failures, type GitCode } from './failure.ts'

const codes = Object.keys(failures) as [GitCode, ...GitCode[]]

const flag = (name: string) => z.boolean(`${name} must be true or false`)

/** Operations without fields. */
export const emptyBody = z.object({})

export const configBody = z.object({
  autoCommit: flag('autoCommit').optional().describe('Commit watched files when they change.'),
  autoSync: flag('autoSync').optional().describe('Sync in the background.'),
  syncInterval: syncInterval
    .optional()
    .describe('Seconds between two background syncs, at least 30; 0 disables them.'),
  remote: gitName('remote').optional().describe('Name of the remote.'),
  branch: gitName('branch').optional().describe('Branch that is synchronised.'),
})

const maxUrlLength = 2_048
/** The first characters; the address is parsed afterwards. */
const urlPattern = /^(?:\/|(?:https?|ssh|file):\/\/|(?:[\w.-]+@)?[A-Za-z0-9][\w.-]*:)\P{Cc}*$/u

export const initBody = z.object({
  remoteUrl: z
    .string('remoteUrl must be a text')
    .regex(urlPattern, 'remoteUrl must be an https, ssh or file address, or an absolute path')
    .max(maxUrlLength, `remoteUrl must have at most ${maxUrlLength} characters`)
    .optional()
    .describe('Address of the remote: https, ssh, file, or an absolute path; no password in it.'),
  branch: gitName('branch').optional().describe('First branch; default `git.branch`.'),
})

const config = z.object({
  enabled: z.boolean(),
  autoCommit: z.boolean(),
  autoSync: z.boolean(),
  syncInterval: z.number(),
  remote: z.string(),
  branch: z.string(),
})

export const configReply = config
export const configuredReply = z.object({ success: z.literal(true), config })

export const statusReply = z.object({
  branch: z.string().nullable(),
  ahead: z.int(),
  behind: z.int(),
  dirty: z.boolean(),
  lastCommit: z.object({ hash: z.string(), message: z.string(), date: z.string() }).nullable(),
  isRepo: z.boolean(),
  remote: z.string().nullable().optional(),
  hasCredentials: z.boolean(),
  authMethod: z
    .enum(['token', 'host-cli', 'credential-helper', 'ssh', 'no-remote', 'none'])
    .optional(),
  autoSync: z.boolean(),
  lastSync: z.string().optional(),
  uncommittedChanges: z.int().optional(),
  unpushedCommits: z.int().optional(),
  unpulledCommits: z.int().optional(),
  conflicts: z.int().optional(),
  conflictCopies: z.array(z.string()).readonly().optional(),
  degraded: z.boolean().optional(),
  degradedReason: z.string().optional(),
  fix: z.string().optional(),
})

const outcomeFields = {
  success: z.boolean(),
  message: z.string(),
  output: z.string(),
  error: z.string().nullable(),
  code: z.enum(codes).optional(),
  fix: z.string().optional(),
  details: z.array(z.string()).readonly().optional(),
}

const incomingFields = {
  conflicts: z
    .array(
      z.object({
        path: z.string(),
        resolution: z.enum(['ours', 'union', 'both', 'changed']),
        copyPath: z.string().optional(),
      }),
    )
    .readonly()
    .optional(),
  skipped: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .readonly()
    .optional(),
  withheld: z
    .array(z.object({ path: z.string(), kinds: z.array(z.string()).readonly() }))
    .readonly()
    .optional(),
  rewritten: z.boolean().optional(),
  saved: z.string().nullable().optional(),
}

export const pullReply = z.object({
  ...outcomeFields,
  changes: z.int().optional(),
  ...incomingFields,
})
export const pushReply = z.object({ ...outcomeFields, changes: z.int().optional() })
export const syncReply = z.object({
  ...outcomeFields,
  pulled: z.int().optional(),
  pushed: z.int().optional(),
  ...incomingFields,
})
export const initReply = z.object({
  ...outcomeFields,
  branch: z.string().optional(),
  remote: z.string().nullable().optional(),
})
