import { z } from 'zod'
import { toCleanText } from '../../../../kernel/redaction/clean-text.ts'
import { type SourceDraft, type SourceEntry, toSourceId } from '../../source.ts'
import { assertTokenRef } from '../remote-api.ts'

/** The settings of a source, as a request and `sources.json` hold them. */
export const wikiFields = {
  tokenRef: z
    .string('tokenRef is required')
    .regex(/\S/, 'tokenRef is required')
    .max(256)
    .describe('Name of the secret that holds the token of the integration.'),
  maxPages: z
    .int('maxPages must be a whole number')
    .min(1, 'maxPages must be at least 1')
    .max(10_000, 'maxPages must be at most 10,000')
    .optional()
    .describe('Maximum pages, those with the latest edits; default 500.'),
} as const

const storedSettings = z.looseObject({
  ...wikiFields,
  maxPages: z.number().default(500),
})

export function readSettings({ providerSettings }: Pick<SourceEntry, 'providerSettings'>) {
  return storedSettings.parse(providerSettings)
}

interface WikiRequest extends z.output<z.ZodObject<typeof wikiFields>> {
  readonly agentId: string
  readonly name?: string | undefined
}

/** The root of the source of a token. */
export function toWikiRoot(tokenRef: string): string {
  return `wiki://sources/${toSourceId('wiki', tokenRef)}`
}

/** The pages that a token may read. Omitted settings of an existing source stay. */
export function draftWiki(
  { agentId, name, tokenRef, maxPages }: WikiRequest,
  existing: SourceEntry | undefined,
): SourceDraft {
  assertTokenRef(tokenRef)
  return {
    id: toSourceId('wiki', tokenRef),
    kind: 'wiki',
    name: toCleanText(name ?? existing?.name ?? 'Wiki').slice(0, 200),
    root: toWikiRoot(tokenRef),
    excludeGlobs: [],
    providerSettings: {
      ...existing?.providerSettings,
      ...(maxPages !== undefined && { maxPages }),
      agentId,
      tokenRef,
    },
  }
}
