import { z } from 'zod'
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
