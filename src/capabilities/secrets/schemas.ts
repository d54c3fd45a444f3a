import { z } from 'zod'
import { integer } from '../../kernel/http/wire-values.ts'
import { isLoader } from '../../kernel/process/environment.ts'
import { isReference } from './exec/reference.ts'
import { isSecretName, nameSchema } from './secret-name.ts'

const maxValueBytes = 65_536
const invalidName = 'Invalid secret name'

export const byName = z.object({
  name: z
    .string()
    .refine(isSecretName, invalidName)
    .meta({ ...nameSchema, description: 'Name of the secret, such as `GITHUB_TOKEN`.' }),
})

export const putBody = z.object({
  value: z
    .string('value is required')
    .min(1, 'value is required')
    .refine((value) => Buffer.byteLength(value) <= maxValueBytes, {
      error: `value must have at most ${maxValueBytes} bytes`,
    })
    // An environment variable cannot hold NUL, and a lone surrogate would be stored as another text.
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'value must be well-formed text without NUL',
    })
    .describe('The value. No operation returns it.'),
})

export const listReply = z.object({
  secrets: z.array(z.string()),
  provider: z.enum(['local', 'vault-a']),
})

export const savedReply = z.object({
  success: z.literal(true),
  name: z.string(),
  warning: z.string().optional(),
})

export const localStatusReply = z.object({
  state: z.enum(['empty', 'ready', 'locked']),
  reason: z.string().nullable(),
  secrets: z.number(),
  unreadable: z.number(),
  keyFile: z.string(),
  keyId: z.string().nullable(),
})

export const rotatedReply = z.object({ success: z.literal(true), keyId: z.string() })

const maxCommandLength = 16_384
const maxSecrets = 32
const emptyMap = 'non-empty secrets map is required'

const secretMap = z
  .record(
    z
      .string()
      .refine(isSecretName, 'Invalid environment variable name')
      .refine((name) => name.toUpperCase() !== 'PATH' && !isLoader(name), {
        error: 'This environment variable must not be set',
      })
      .meta(nameSchema),
    z.string().refine(isReference, 'Invalid secret reference'),
    { error: (issue) => (issue.code === 'invalid_key' ? issue.issues[0]?.message : emptyMap) },
  )
  .refine((map) => Object.keys(map).length > 0, emptyMap)
  .refine(
    (map) => Object.keys(map).length <= maxSecrets,
    `at most ${maxSecrets} secrets may be named`,
  )
  .describe('Secrets by the name of the environment variable that receives the value.')

export const execBody = z.object({
  command: z
    .string('command is required')
    .refine((command) => command.trim() !== '', 'command is required')
    .refine((command) => !command.includes('\0'), 'command must not contain NUL')
    .max(maxCommandLength, `command must have at most ${maxCommandLength} characters`)
    .describe(
      'A program with arguments; quotes and backslashes as in a shell, but no shell runs it.',
    )
    .meta({ pattern: '\\S' }),
  secrets: secretMap,
  timeoutMs: integer('timeoutMs', { min: 1_000, max: 1_800_000, default: 300_000 }).describe(
    'Timeout in milliseconds, 1,000 to 1,800,000; default 300,000.',
  ),
})

/** Without a map the command receives the secret of the path under its own name. */
export const namedExecBody = execBody.extend({ secrets: secretMap.optional() })

export const byJob = z.object({ jobId: z.string() })

export const startedReply = z.object({
  id: z.string(),
  status: z.literal('queued'),
  createdAt: z.string(),
  timeoutMs: z.number(),
})

export const jobReply = z.object({
  id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  createdAt: z.string(),
  startedAt: z.string().optional(),
  completedAt: z.string().optional(),
  timeoutMs: z.number(),
  result: z
    .object({
      stdout: z.string(),
      stderr: z.string(),
      code: z.number(),
      timedOut: z.boolean(),
      stdoutTruncated: z.boolean(),
      stderrTruncated: z.boolean(),
      stdoutBytes: z.number(),
      stderrBytes: z.number(),
    })
    .optional(),
  error: z.string().optional(),
})
