import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

/** `outbound` of `agent.yaml`. */
export const outboundSettings = defineSettings(
  'outbound',
  z
    .object({
      /** Origins that may be called wherever they are, such as a model server on this machine. */
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
      /** Of a whole call with its redirects, unless the call says otherwise. */
      timeoutMs: z.int().positive().max(600_000).default(30_000),
      /** Of a body when unpacked, unless the call says otherwise. */
      maxBytes: z.int().positive().max(268_435_456).default(5_242_880),
    })
    .prefault({}),
)
export type OutboundConfig = z.output<typeof outboundSettings.schema>
