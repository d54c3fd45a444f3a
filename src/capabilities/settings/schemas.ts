import { z } from 'zod'

export const schemaReply = z
  .looseObject({
    $schema: z.string(),
    type: z.literal('object'),
    properties: z
      .record(z.string(), z.looseObject({}))
      .describe('The schema of each setting by its dotted key.'),
  })
  .describe(
    'A JSON Schema of `values`. `x-restart`, `x-environment` and `x-unit` describe a setting.',
  )

export const settingsReply = z.object({
  values: z
    .record(
      z.string(),
      z.object({
        value: z.unknown().describe('`{ set: true }` for a value that contains a credential.'),
        source: z.enum(['default', 'file', 'environment']),
      }),
    )
    .describe('The value of each setting by its dotted key.'),
  file: z.string().describe('The name of the settings file in the workspace.'),
  hash: z.string().describe('The SHA-256 of the file, for a change.'),
  restartRequired: z
    .array(z.string())
    .readonly()
    .describe('Changed settings that take effect after a restart.'),
})

/** Names that reach the prototype of an object are part of no key. */
const key = z
  .string()
  .max(200)
  .regex(/^(?!.*\b(?:__proto__|constructor|prototype)\b)[^.\s]+(?:\.[^.\s]+)*$/, 'not a dotted key')

const maxChanges = 200

export const changeBody = z.object({
  changes: z
    .array(
      z.object({
        key: key.describe('The dotted key of a setting, such as `logging.level`.'),
        value: z.unknown().describe('The new value; null takes the key out of the file.'),
      }),
    )
    .min(1)
    .max(maxChanges),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'hash must be the one of GET /api/settings')
    .describe('The hash of the file that the caller has read.'),
  dryRun: z.boolean().default(false).describe('Return the diff and the issues, but save nothing.'),
})

const issue = z.object({
  key: z.string(),
  code: z.enum(['invalid_path', 'invalid_value', 'unknown_setting']),
  message: z.string(),
  nearest: z.string().nullable().optional().describe('The known setting with a similar name.'),
})

export const changeReply = z.object({
  diff: z
    .array(
      z.object({
        key: z.string(),
        before: z.unknown().describe('Null for a key that the file did not contain.'),
        after: z.unknown().describe('Null for a key that is taken out.'),
      }),
    )
    .describe('The changed keys of the file.'),
  issues: z.array(issue).describe('Why the change cannot be saved; empty when it can.'),
  restartRequired: z
    .array(z.string())
    .describe('Settings of the change that take effect after a restart.'),
  saved: z.boolean(),
  hash: z.string().describe('The hash of the file after the call.'),
})
