import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import type { SessionRef } from './transcript.ts'

type ArtifactKind = 'summary' | 'transcript' | 'compaction' | 'manifest'

/** What was written of a session, and where. Times are ISO in UTC. */
export interface Artifact {
  readonly agentId: string
  /** Within the workspace; one of its kind and agent. */
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

/** Without what stands in it: a transcript is as long as its session was. */
export type ListedArtifact = Omit<Artifact, 'content'>

/** All that was written of one session. */
export interface Manifest extends SessionRef {
  readonly sessionToken: string
  /** Within the workspace; the name it got first. */
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
  /** 1 when made, raised with each change. */
  readonly revision: number
  readonly updatedAt: string
}

export interface Naming {
  readonly capturedAt: string
  readonly sessionToken: string
  readonly kind: ArtifactKind
}

/** Within the workspace. */
export function pathOfArtifact({ capturedAt, sessionToken, kind }: Naming): string {
  return `memory/${capturedAt.replaceAll(':', '-')}--${sessionToken}--${kind}.md`
}
