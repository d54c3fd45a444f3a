import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** `secrets` of `agent.yaml`. */
export const secretsSettings = defineSettings(
  'secrets',
  z
    .object({
      /** The file of the key; default `.secrets/key` in the workspace. */
      keyFile: z
        .string()
        .refine((path) => isAbsolute(path) || path.startsWith('~/'), 'must be an absolute path')
        .refine((path) => !path.includes('\0'), 'must not contain NUL')
        .optional(),
    })
    .prefault({}),
)
