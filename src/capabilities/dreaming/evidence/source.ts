import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { type SourceRef, toRef } from './evidence.ts'

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

type Needs = Pick<DreamingNeeds, 'ontology' | 'sessions'>

/** Undefined where the source is gone, is not of this agent, or is not readable evidence. */
export async function readSource(
  needs: Needs,
  db: Db,
  { agentId, ...ref }: SourceRef & { readonly agentId: string },
): Promise<RenderedSource | undefined> {
  const sources = await readSources(needs, db, { agentId, refs: [ref] })
  return sources.get(toRef(ref))
}

/** The readable sources among these, by `toRef`. */
export async function readSources(
  { ontology, sessions }: Needs,
  db: Db,
  { agentId, refs }: { readonly agentId: string; readonly refs: readonly SourceRef[] },
): Promise<ReadonlyMap<string, RenderedSource>> {
  const wanted = new Map(refs.map((ref) => [toRef(ref), ref]))
  const items = [...wanted.values()].map(({ sourceKind: kind, sourceId: id }) => ({ kind, id }))
  const read = await ontology.createEvidenceReader(db, agentId, items)
  const bypassed = new Map<string, boolean>()
  const isBypassed = async (sessionKey: string) => {
    const known =
      bypassed.get(sessionKey) ?? (await sessions.wasBypassed(db, { agentId, sessionKey }))
    bypassed.set(sessionKey, known)
    return known
  }
  const sources = new Map<string, RenderedSource>()
  for (const [key, { sourceKind, sourceId }] of wanted) {
    const evidence = await read({ kind: sourceKind, id: sourceId })
    const source = evidence && toSource({ sourceKind, sourceId }, evidence)
    if (!source || (source.session !== null && (await isBypassed(source.session)))) continue
    sources.set(key, source)
  }
  return sources
}

type Evidence = NonNullable<Awaited<ReturnType<Needs['ontology']['readEvidence']>>>

/** Undefined for texts of the service itself. */
function toSource(
  { sourceKind, sourceId }: SourceRef,
  { text, sourceTime, project, trust, memory, session: about = null }: Evidence,
): RenderedSource | undefined {
  const base = { sourceKind, sourceId, text, sourceTime, project, trust }
  const session = sourceKind === 'transcript' ? sourceId : about
  if (!memory) return { ...base, speaker: null, session }
  if (memory.who === 'dreaming') return undefined
  return {
    ...base,
    speaker: memory.who === '' ? null : memory.who,
    session: memory.sessionId,
    structuredStart: findStructured(text, memory.evidence),
  }
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
