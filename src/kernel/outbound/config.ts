import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

/** The section `outbound` of `agent.yaml`. */
export const outboundSettings = defineSettings(
  'outbound',
  z
    .object({
      /** Origins that may be called at any address, such as a model server on this machine. */
      allow: z
        .array(
          z
            .url({ protocol: /^https?$/ })
            .refine(
              (text) => URL.parse(text)?.origin === text,
              'not an origin: scheme://host:port',
            ),
        )
        .max(64)
        .default([]),
      /** Default deadline of a whole call with its redirects. */
      timeoutMs: z.int().positive().max(600_000).default(30_000),
      /** Default maximum size of a decoded body. */
      maxBytes: z.int().positive().max(268_435_456).default(5_242_880),
    })
    .prefault({}),
)
export type OutboundConfig = z.output<typeof outboundSettings.schema>
