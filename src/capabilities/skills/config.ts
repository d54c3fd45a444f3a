import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const packageManagers = ['bun', 'pnpm', 'yarn', 'npm'] as const
export type PackageManager = (typeof packageManagers)[number]

/** `skills` of `agent.yaml`. */
export const skillsSettings = defineSettings(
  'skills',
  z
    .object({
      /** The search of a registry of skills; an empty text disables it. */
      registryUrl: z
        .union([z.url({ protocol: /^https?$/ }), z.literal('')])
        .default('https://skills.sh/api/search'),
      /** The program that installs packages. Default: the first one on PATH. */
      packageManager: z.enum(packageManagers).optional(),
    })
    .prefault({}),
)

export type SkillsConfig = z.output<typeof skillsSettings.schema>
