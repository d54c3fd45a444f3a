import { z } from 'zod'

const hygieneModes = ['redact', 'block', 'off'] as const
export type HygieneMode = (typeof hygieneModes)[number]

export const hygieneConfig = z
  .object({
    /** What becomes of credentials in what is to be kept. */
    secrets: z.enum(hygieneModes).default('redact'),
  })
  .prefault({})
