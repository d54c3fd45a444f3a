import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

const secretPolicies = ['redact', 'block', 'off'] as const
export type SecretPolicy = (typeof secretPolicies)[number]

export const redactionSettings = defineSettings(
  'hygiene',
  z
    .object({
      /** What becomes of credentials in what is to be kept. */
      secrets: z.enum(secretPolicies).default('redact'),
    })
    .prefault({}),
)
