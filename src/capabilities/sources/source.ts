import { hash } from 'node:crypto'
import { z } from 'zod'

const sourceKinds = ['notes-vault', 'chat', 'code-host', 'wiki', 'web', 'import'] as const
export type SourceKindName = (typeof sourceKinds)[number]

/** An entry of `sources.json`. */
export const sourceEntry = z.object({
  id: z.string().min(1),
  kind: z.enum(sourceKinds),
  name: z.string(),
  root: z.string(),
  enabled: z.boolean(),
  mode: z.literal('read-only'),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastIndexedAt: z.string().optional(),
  excludeGlobs: z.array(z.string()),
  /** Changes when a deleted source is added again. */
  generation: z.string().min(1),
  /** Owner of the rows; the settings of the kind. */
  providerSettings: z.looseObject({ agentId: z.string().min(1) }),
})
export type SourceEntry = z.output<typeof sourceEntry>

/** What a source is, before it is stored. */
export interface SourceDraft
  extends Pick<SourceEntry, 'kind' | 'name' | 'root' | 'excludeGlobs' | 'providerSettings'> {
  /** The id, unless a source of another agent has it. */
  readonly id: string
}

/** Row kinds and types contain the kind with underscores. */
export function toKindToken(kind: SourceKindName): string {
  return kind.replaceAll('-', '_')
}

export function ownerOf({ providerSettings }: Pick<SourceEntry, 'providerSettings'>): string {
  return providerSettings.agentId
}

/** The id of a source with these identifying words. */
export function toSourceId(prefix: string, ...words: readonly string[]): string {
  return `${prefix}:${hashOf(...words).slice(0, 16)}`
}

export function hashOf(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'))
}
