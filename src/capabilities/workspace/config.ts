import { z } from 'zod'

const spelled: Readonly<Record<string, boolean>> = { true: true, false: false }

/** What is neither true nor false is dropped. */
export const featuresConfig = z
  .record(z.string(), z.unknown())
  .default({})
  .transform((written) =>
    Object.fromEntries(
      Object.entries(written).flatMap(([name, value]) => {
        const feature = spelled[String(value)]
        return feature === undefined ? [] : [[name, feature] as const]
      }),
    ),
  )
