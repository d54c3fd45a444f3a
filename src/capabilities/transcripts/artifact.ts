import type { CleanText } from '../../kernel/redaction/clean-text.ts'
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

export interface ArtifactName {
  readonly capturedAt: string
  readonly sessionToken: string
  readonly kind: ArtifactKind
}

/** Relative to the workspace. */
export function artifactPath({ capturedAt, sessionToken, kind }: ArtifactName): string {
  return `memory/${capturedAt.replaceAll(':', '-')}--${sessionToken}--${kind}.md`
}
