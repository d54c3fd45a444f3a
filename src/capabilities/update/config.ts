import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

export const channels = ['stable', 'nightly'] as const

export const minIntervalSeconds = 300
export const maxIntervalSeconds = 604_800

/** `updates` of `agent.yaml`. A build that is not published has no source, so no request leaves. */
export const updatesSettings = defineSettings(
  'updates',
  z
    .object({
      /** Installs updates in the background. */
      auto_install: z.boolean().default(false),
      /** Seconds between automatic checks. */
      check_interval: z.int().min(minIntervalSeconds).max(maxIntervalSeconds).default(21_600),
      channel: z.enum(channels).default('stable'),
      /** The name of the package in the registry. */
      package: z
        .string()
        .regex(/^(@[a-z0-9][\w.-]{0,100}\/)?[a-z0-9][\w.-]{0,100}$/, 'not the name of a package')
        .optional(),
      /** The address of a package registry. */
      registry: z.url({ protocol: /^https?$/ }).optional(),
      /** A document with the latest release. */
      release_listing: z.url({ protocol: /^https?$/ }).optional(),
    })
    .prefault({}),
)

export type UpdatesConfig = z.output<typeof updatesSettings.schema>
