import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

const secretPolicies = ['redact', 'block', 'off'] as const
export type SecretPolicy = (typeof secretPolicies)[number]

export const redactionSettings = defineSettings(
  'hygiene',
  z
    .object({
      /** How credentials in stored content are handled. */
      secrets: z.enum(secretPolicies).default('redact'),
    })
    .prefault({}),
)
