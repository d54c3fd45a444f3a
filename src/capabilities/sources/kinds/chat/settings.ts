import { z } from 'zod'
import { toCleanText } from '../../../../kernel/redaction/clean-text.ts'
import { invalid } from '../../refusals.ts'
import { type SourceDraft, type SourceEntry, toSourceId } from '../../source.ts'
import { assertTokenRef } from '../remote-api.ts'

const guildId = z.string().regex(/^\d{17,20}$/, 'guildIds must be ids of 17 to 20 digits')

const syncModes = ['rest', 'gateway-tail', 'desktop-cache'] as const

/** The settings of a source, as a request and `sources.json` hold them. */
export const chatFields = {
  guildIds: z
    .array(guildId)
    .max(100, 'guildIds must have at most 100 entries')
    .optional()
    .describe('Ids of servers, of 17 to 20 digits. Required without `desktop-cache`.'),
  tokenRef: z
    .string('tokenRef is required')
    .regex(/\S/, 'tokenRef is required')
    .max(256)
    .optional()
    .describe(
      'Name of the secret that holds the token of the bot. Required without `desktop-cache`.',
    ),
  channelFilter: z
    .array(z.string().min(1).max(100))
    .max(500)
    .optional()
    .describe('Names or ids of channels; default all that the bot may read.'),
  maxMessagesPerChannel: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Messages of a channel that the first runs read, the newest first; default 1,000.'),
  includeThreads: z.boolean().optional().describe('Reads active threads; default true.'),
  includeArchivedThreads: z.boolean().optional().describe('Reads archived threads; default true.'),
  includeMembers: z.boolean().optional().describe('Reads the list of members; default true.'),
  includeAttachments: z.boolean().optional().describe('Names attachments; default true.'),
  includeEmbeds: z.boolean().optional().describe('Reads embeds; default true.'),
  includePolls: z.boolean().optional().describe('Reads polls; default true.'),
  includeThreadMembers: z.boolean().optional().describe('Reads members of threads; default true.'),
  includePrivateArchivedThreads: z
    .boolean()
    .optional()
    .describe('Reads private archived threads, for which a bot needs more rights; default false.'),
  includeAttachmentText: z
    .boolean()
    .optional()
    .describe(
      'Reads attachments that are text, such as `.md` and `.log`; needs `includeAttachments`; default false.',
    ),
  maxAttachmentTextBytes: z
    .int()
    .min(1)
    .max(1_048_576)
    .optional()
    .describe('Larger attachments are not read; default 262,144.'),
  syncMode: z
    .enum(syncModes)
    .optional()
    .describe(
      '`gateway-tail` follows the events of the servers after a run; `desktop-cache` reads the cache of the desktop app and sends no request; default `rest`.',
    ),
  desktopCachePath: z
    .string('desktopCachePath must be text')
    .max(4_096, 'desktopCachePath must have at most 4,096 characters')
    .regex(/^[^\0]*$/, 'desktopCachePath must not contain NUL')
    .optional()
    .describe('Data folder of the desktop app; default the folder of the platform.'),
  desktopCacheFullScan: z
    .boolean()
    .optional()
    .describe('Reads all files of the cache in each run, not only changed ones; default false.'),
  since: z.iso
    .datetime({ offset: true, error: 'since must be an ISO date and time' })
    .optional()
    .describe('Reads no message before this time.'),
} as const

const enabled = z.boolean().default(true)
const disabled = z.boolean().default(false)
const storedSettings = z.looseObject({
  ...chatFields,
  guildIds: z.array(guildId).default([]),
  tokenRef: z.string().default(''),
  channelFilter: z.array(z.string()).default([]),
  maxMessagesPerChannel: z.number().default(1_000),
  includeThreads: enabled,
  includeArchivedThreads: enabled,
  includeMembers: enabled,
  includeAttachments: enabled,
  includeEmbeds: enabled,
  includePolls: enabled,
  includeThreadMembers: enabled,
  includePrivateArchivedThreads: disabled,
  includeAttachmentText: disabled,
  maxAttachmentTextBytes: z.number().default(262_144),
  syncMode: z.enum(syncModes).default('rest'),
  desktopCacheFullScan: disabled,
})
export type ChatSettings = z.output<typeof storedSettings>

export function readSettings({ providerSettings }: Pick<SourceEntry, 'providerSettings'>) {
  return storedSettings.parse(providerSettings)
}

export interface ChatRequest extends z.output<z.ZodObject<typeof chatFields>> {
  readonly agentId: string
  readonly name?: string | undefined
}

const sortIds = (ids: readonly string[]) => [...new Set(ids)].toSorted()

/** The root of the source of these servers. */
export function toChatRoot(guildIds: readonly string[]): string {
  return `chat://guilds/${sortIds(guildIds).join(',')}`
}

/** The source of these servers. Omitted settings of an existing source stay. */
export function draftChat(
  { guildIds = [], ...request }: ChatRequest,
  existing: SourceEntry | undefined,
): SourceDraft {
  if (guildIds.length === 0) throw invalid('guildIds is required')
  if (request.tokenRef === undefined) throw invalid('tokenRef is required')
  assertTokenRef(request.tokenRef)
  const sorted = sortIds(guildIds)
  return {
    ...toDraft({ ...request, guildIds: sorted }, existing, 'Chat Source'),
    id: toSourceId('chat', sorted.join(',')),
    root: toChatRoot(sorted),
  }
}

/** The source of the desktop app with this data folder. */
export function draftDesktopCache(
  { tokenRef: _none, guildIds = [], ...request }: ChatRequest,
  root: string,
  existing: SourceEntry | undefined,
): SourceDraft {
  const desktop = { ...request, guildIds: sortIds(guildIds), desktopCachePath: root }
  return {
    ...toDraft(desktop, existing, 'Desktop Chat'),
    id: toSourceId('chat-cache', root),
    root,
  }
}

function toDraft(
  { agentId, name, ...request }: ChatRequest,
  existing: SourceEntry | undefined,
  defaultName: string,
) {
  if (request.channelFilter?.some((one) => toCleanText(one) !== one))
    throw invalid('channelFilter must not hold credentials.')
  const fields = Object.entries(request).filter(([, value]) => value !== undefined)
  const settings = { ...existing?.providerSettings, ...Object.fromEntries(fields), agentId }
  const { includeAttachments, includeAttachmentText } = storedSettings.parse(settings)
  if (includeAttachmentText && !includeAttachments)
    throw invalid('includeAttachmentText needs includeAttachments.')
  return {
    kind: 'chat' as const,
    name: toCleanText(name ?? existing?.name ?? defaultName).slice(0, 200),
    excludeGlobs: [],
    providerSettings: settings,
  }
}
