import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

/** `process` of `agent.yaml`. */
export const processSettings = defineSettings(
  'process',
  z
    .object({
      /** Further variables of the daemon that commands receive. Loader variables are never passed. */
      pass: z
        .array(z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'not the name of a variable'))
        .max(64)
        .default([]),
    })
    .prefault({}),
)
