import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

const hygieneModes = ['redact', 'block', 'off'] as const
export type HygieneMode = (typeof hygieneModes)[number]

export const hygieneSettings = defineSettings(
  'hygiene',
  z
    .object({
      /** What becomes of credentials in what is to be kept. */
      secrets: z.enum(hygieneModes).default('redact'),
    })
    .prefault({}),
)
