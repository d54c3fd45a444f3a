import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Values other than true and false are dropped. */
export const featuresSettings = defineSettings(
  'features',
  z
    .record(z.string(), z.unknown())
    .default({})
    .transform((value) =>
      Object.fromEntries(
        Object.entries(value).flatMap(([name, value]) => {
          const feature = booleans[String(value)]
          return feature === undefined ? [] : [[name, feature] as const]
        }),
      ),
    ),
)
