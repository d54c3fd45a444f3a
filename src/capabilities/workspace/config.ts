import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

const spelled: Readonly<Record<string, boolean>> = { true: true, false: false }

/** What is neither true nor false is dropped. */
export const featuresSettings = defineSettings(
  'features',
  z
    .record(z.string(), z.unknown())
    .default({})
    .transform((written) =>
      Object.fromEntries(
        Object.entries(written).flatMap(([name, value]) => {
          const feature = spelled[String(value)]
          return feature === undefined ? [] : [[name, feature] as const]
        }),
      ),
    ),
)
