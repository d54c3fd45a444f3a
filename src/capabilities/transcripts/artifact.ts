import { hash } from 'node:crypto'
import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import { neutralize, neutralizeTexts } from '../../kernel/redaction/neutralize.ts'
import type { SessionRef } from './transcript.ts'

type ArtifactKind = 'summary' | 'transcript' | 'compaction' | 'manifest'

/** A file about a session. Times are ISO in UTC. */
export interface Artifact {
  readonly agentId: string
  /** Relative to the workspace; unique for an agent. */
  readonly sourcePath: string
  readonly sourceSha256: string
  readonly sourceKind: ArtifactKind
  readonly sessionId: string | null
  readonly sessionKey: string | null
  readonly sessionToken: string
  readonly project: string | null
  readonly harness: string | null
  readonly capturedAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly manifestPath: string | null
  readonly sourceNodeId: string | null
  readonly memorySentence: CleanText | null
  readonly memorySentenceQuality: 'ok' | 'fallback' | null
  readonly content: string
  readonly updatedAt: string
}

/** Without the content, which may be megabytes. */
export type ListedArtifact = Omit<Artifact, 'content'>

/** The list of files about one session. */
export interface Manifest extends SessionRef {
  readonly sessionToken: string
  /** Relative to the workspace; it never changes. */
  readonly path: string
  readonly sessionId: string | null
  readonly project: string | null
  readonly harness: string
  readonly capturedAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly summaryPath: string | null
  readonly compactionPath: string | null
  readonly transcriptPath: string | null
  /** The renders of MEMORY.md that cite it. */
  readonly memoryMdRefs: readonly string[]
  /** Starts at 1 and increments with each change. */
  readonly revision: number
  readonly updatedAt: string
}

interface ArtifactName {
  readonly capturedAt: string
  readonly sessionToken: string
  readonly kind: ArtifactKind
}

/** Relative to the workspace. */
export function artifactPath({ capturedAt, sessionToken, kind }: ArtifactName): string {
  return `memory/${capturedAt.replaceAll(':', '-')}--${sessionToken}--${kind}.md`
}

/**
 * Values that front matter supports: texts are quoted as JSON, which is YAML; absent values are
 * `null`.
 */
export type Field = readonly [name: string, value: string | number | null | readonly string[]]

export const hashScope = 'body-normalized-v1'

/**
 * The hashed and written form: neutralized marks, LF, no trailing blanks, one newline at the end.
 */
export function normalizeBody(body: string): string {
  const lines = neutralize(body)
    .split('\n')
    .map((line) => line.trimEnd())
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return `${lines.join('\n')}\n`
}

export function hashBody(body: string): string {
  return hash('sha256', normalizeBody(body))
}

export function renderArtifact(fields: readonly Field[], body: string): string {
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(neutralizeTexts(value))}`)
  return `---\n${lines.join('\n')}\n---\n\n${normalizeBody(body)}`
}
