import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { SourceRef } from './evidence.ts'

/** A source with the text that quotes must match. */
export interface RenderedSource extends SourceRef {
  readonly text: string
  readonly sourceTime: string
  readonly project: string | null
  readonly trust: 'own' | 'external'
  /** Of a memory. Transcripts name their speakers in their lines. */
  readonly speaker: string | null
  readonly session: string | null
  /** Offset at which the structured payload of a memory begins. */
  readonly structuredStart?: number | undefined
}

interface Wanted extends SourceRef {
  readonly agentId: string
}

/** Undefined where the source is gone, is not of this agent, or is not readable evidence. */
export async function readSource(
  { memory, ontology, sessions }: Pick<DreamingNeeds, 'memory' | 'ontology' | 'sessions'>,
  db: Db,
  { agentId, sourceKind, sourceId }: Wanted,
): Promise<RenderedSource | undefined> {
  const ref = { kind: sourceKind, id: sourceId }
  const evidence = await ontology.readEvidence(db, agentId, ref)
  if (!evidence) return undefined
  const { text, sourceTime, project, trust } = evidence
  const base = { sourceKind, sourceId, text, sourceTime, project, trust }
  if (sourceKind !== 'memory') {
    const session = sourceKind === 'transcript' ? sourceId : null
    if (session !== null && (await sessions.isBypassed(db, { agentId, sessionKey: session })))
      return undefined
    return { ...base, speaker: null, session }
  }
  const row = await memory.findEvidence(db, agentId, sourceId)
  if (!row || row.who === 'dreaming') return undefined
  const { who, sessionId: session } = row
  if (session !== null && (await sessions.isBypassed(db, { agentId, sessionKey: session })))
    return undefined
  const structuredStart = findStructured(text, row.evidence)
  return { ...base, speaker: who === '' ? null : who, session, structuredStart }
}

const structuredMark = '\nstructured_evidence:\n'

/** The payload stands behind the content, which may only imitate it. */
function findStructured(
  text: string,
  evidence: Readonly<Record<string, unknown>> | null,
): number | undefined {
  const at = evidence?.['structured'] === undefined ? -1 : text.lastIndexOf(structuredMark)
  return at < 0 ? undefined : at + 1
}
