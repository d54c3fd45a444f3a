import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

const apiUrl = (url: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine((text) => !/[?#@]/.test(text), 'must have no credentials, query and fragment')
    .default(url)

/** `sources` of `agent.yaml`. */
export const sourcesSettings = defineSettings(
  'sources',
  z
    .object({
      /** Maximum chunks of all sources; files beyond are reported as failed. */
      maxChunks: z.int().min(1_000).max(5_000_000).default(500_000),
      /** Minutes between two runs of a source on the network; 0 for none but those of requests. */
      refreshMinutes: z.int().min(0).max(10_080).default(60),
      /** The origin of the API, which alone receives the tokens of code hosts. */
      codeHost: z.object({ apiUrl: apiUrl('https://api.github.com') }).prefault({}),
      /** The origin of the API, which alone receives the tokens of chats. */
      chat: z.object({ apiUrl: apiUrl('https://discord.com/api') }).prefault({}),
      /** The origin of the API, which alone receives the tokens of wikis. */
      wiki: z.object({ apiUrl: apiUrl('https://api.notion.com') }).prefault({}),
    })
    .prefault({}),
)
export type SourcesConfig = z.output<typeof sourcesSettings.schema>
