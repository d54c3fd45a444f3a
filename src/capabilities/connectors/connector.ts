import { z } from 'zod'

export const providers = ['filesystem', 'code-host-docs', 'drive-docs'] as const
export type Provider = (typeof providers)[number]

export const statuses = ['idle', 'syncing', 'error'] as const

const defaultPatterns = ['**/*.md', '**/*.txt']
const defaultIgnorePatterns = ['.git', 'node_modules', '.DS_Store']
const defaultMaxFileSize = 1_048_576

/** The settings of the provider `filesystem`, as they are stored. */
export const folderSettings = z.object({
  /** Absolute. */
  rootPath: z.string().min(1),
  patterns: z.array(z.string()).default(defaultPatterns),
  ignorePatterns: z.array(z.string()).default(defaultIgnorePatterns),
  /** Bytes. */
  maxFileSize: z.number().default(defaultMaxFileSize),
  project: z.string().optional(),
})
export type FolderSettings = z.output<typeof folderSettings>

/** A place whose files become documents. Times are ISO 8601 in UTC. */
export interface Connector {
  readonly id: string
  readonly agentId: string
  /** The project of its documents. */
  readonly project: string | null
  readonly provider: Provider
  readonly displayName: string
  readonly settingsJson: string
  /** 0 while the connector is being deleted. */
  readonly enabled: number
  /** The start of the last complete sync: later changes are read by the next one. */
  readonly cursorAt: string | null
  readonly status: (typeof statuses)[number]
  readonly lastSyncAt: string | null
  readonly lastError: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const syncJob = 'connector_sync'

export function toSubject(id: string): string {
  return `connector:${id}`
}

export function readFolderSettings({ settingsJson }: Connector): FolderSettings {
  return folderSettings.parse(JSON.parse(settingsJson))
}
