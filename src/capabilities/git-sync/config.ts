import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'
import { holdsSecret } from '../../kernel/redaction/redact.ts'

/** The name of a branch or a remote that no git command can take as an option or an expression. */
const namePattern =
  /^(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,126}[A-Za-z0-9_-])?$/

export const gitName = (name: string) =>
  z
    .string(`${name} must be a text`)
    .regex(namePattern, `${name} is not a valid name`)
    .refine((text) => !holdsSecret(text), `${name} must not contain a credential`)

const minIntervalSeconds = 30
const maxIntervalSeconds = 604_800

/** Seconds between two background runs; 0 disables them. */
export const syncInterval = z
  .number('syncInterval must be a number of seconds')
  .max(maxIntervalSeconds, `syncInterval must be at most ${maxIntervalSeconds}`)
  .transform((seconds) => (seconds <= 0 ? 0 : Math.max(minIntervalSeconds, seconds)))

/** `git` of `agent.yaml`. */
export const gitSettings = defineSettings(
  'git',
  z
    .object({
      /** Background work; calls by a person always run. */
      enabled: z.boolean().default(true),
      autoCommit: z.boolean().default(false),
      autoSync: z.boolean().default(false),
      syncInterval: syncInterval.prefault(300),
      remote: gitName('remote').default('origin'),
      branch: gitName('branch').default('main'),
      /** What a pull does when both sides have commits. */
      diverged: z.enum(['merge', 'refuse']).default('merge'),
      /** Further files that are never committed: paths, folders or globs. */
      exclude: z
        .array(z.string().regex(/^(?![!#/])[^\p{Cc}\\]{1,256}$/u, 'not a relative path or glob'))
        .max(100)
        .default([]),
      /** The host that receives the token, with its port if it is not the default. */
      tokenHost: z
        .string()
        .regex(/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/, 'must be a host name')
        .default('github.com'),
      /** Names the token in the secret store. */
      tokenRef: z.string().min(1).max(512).optional(),
    })
    .prefault({}),
)

export type GitConfig = z.output<typeof gitSettings.schema>
