import type { Db } from '../../../kernel/db/database.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import type { Memory } from '../../memory/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import type { Evidence, EvidenceRef } from './evidence.ts'
import { renderMemory } from './render.ts'

type Needs = Pick<OntologyNeeds, 'memory' | 'transcripts' | 'evidenceSources'>
type SourceRef = Pick<EvidenceRef, 'kind' | 'id'>
export type EvidenceReader = (ref: SourceRef) => Promise<Evidence | undefined>
type Reader = (
  needs: Needs,
  db: Db,
  of: { agentId: string; id: string },
) => Promise<Evidence | undefined>

/**
 * The text that quotes must match, without credentials. Undefined when it is not of this agent,
 * forgotten or unfinished.
 */
export async function readEvidence(
  needs: Needs,
  db: Db,
  { agentId, kind, id }: Pick<EvidenceRef, 'kind' | 'id'> & { readonly agentId: string },
): Promise<Evidence | undefined> {
  if (id.includes('\0')) return undefined
  const own = await readers[kind](needs, db, { agentId, id })
  if (own) return own
  for (const source of needs.evidenceSources.list()) {
    const evidence = source.kind === kind ? await source.read(db, agentId, id) : undefined
    if (evidence) return evidence
  }
  return undefined
}

const readers: Readonly<Record<EvidenceRef['kind'], Reader>> = {
  memory: async ({ memory }, db, { agentId, id }) => {
    const row = await memory.findEvidence(db, agentId, id)
    return row && ofMemory(row)
  },
  transcript: async ({ transcripts }, db, { agentId, id: sessionKey }) => {
    const row = await transcripts.find(db, { agentId, sessionKey })
    if (!row || row.completedAt === null) return undefined
    return ofSession(row.content, row.capturedAt, row.project)
  },
  artifact: async ({ transcripts }, db, { agentId, id: sourcePath }) => {
    const row = await transcripts.evidence.findArtifact(db, { agentId, sourcePath })
    return (
      row && { ...ofSession(row.content, row.capturedAt, row.project), session: row.sessionKey }
    )
  },
  summary: async ({ transcripts }, db, { agentId, id }) => {
    const row = await transcripts.evidence.findSummary(db, { agentId, id })
    return row && { ...ofSession(row.content, row.latestAt, row.project), session: row.sessionKey }
  },
}

function ofMemory(memory: Memory): Evidence {
  const { content, evidence, createdAt, visibility, project } = memory
  return {
    text: renderMemory(content, evidence),
    sourceTime: createdAt,
    visibility: visibility === 'global' ? 'global' : 'private',
    project,
    trust: memory.sourceType === 'document' ? 'external' : 'own',
    memory,
  }
}

/** Reads memories with one statement, and every source once. For one transaction. */
export async function createEvidenceReader(
  needs: Needs,
  db: Db,
  { agentId, refs }: { readonly agentId: string; readonly refs: readonly SourceRef[] },
): Promise<EvidenceReader> {
  const ids = refs.flatMap(({ kind, id }) => (kind === 'memory' && !id.includes('\0') ? [id] : []))
  const memories = await needs.memory.listEvidence(db, agentId, [...new Set(ids)])
  const read = new Map<string, Promise<Evidence | undefined>>(
    memories.map((memory) => [`memory:${memory.id}`, Promise.resolve(ofMemory(memory))]),
  )
  return ({ kind, id }) => {
    const key = `${kind}:${id}`
    const evidence = read.get(key) ?? readEvidence(needs, db, { agentId, kind, id })
    read.set(key, evidence)
    return evidence
  }
}

/** Other agents cannot read the sessions of an agent. */
function ofSession(text: string, sourceTime: string, project: string | null): Evidence {
  return { text: toCleanText(text), sourceTime, visibility: 'private', project, trust: 'own' }
}
