import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { daysAgo } from '../../kernel/host/host.ts'
import { createErasureListener } from './assertions/follow-subjects.ts'
import { assertionRoutes } from './assertions/routes.ts'
import { assertionEvents } from './assertions/session-events.ts'
import { knowledgeSettings } from './config.ts'
import type { EvidenceRef } from './evidence/evidence.ts'
import { createEvidenceReader, readEvidence } from './evidence/read-evidence.ts'
import { evidenceRoutes } from './evidence/routes.ts'
import { proposeFrom } from './extract/extract.ts'
import { extractRoutes } from './extract/routes.ts'
import { createTextReader } from './extract/text-reader.ts'
import { createAgentRemoval, createEvidenceDependant } from './forgetting.ts'
import { createKnowledgeHealth, graphDomain } from './health.ts'
import { ontologyMigrations } from './migrations.ts'
import type { OntologyNeeds, OntologyOptions } from './needs.ts'
import { applyOperations } from './operations/apply-operations.ts'
import { listVisibleContradictions } from './operations/contradictions.ts'
import { type BatchResult, type OperationBatch, parseOperation } from './operations/request.ts'
import { operationRoutes } from './operations/routes.ts'
import { type UndoRequest, undo } from './operations/undo.ts'
import type { EvidenceSource } from './ports.ts'
import { createProposals } from './proposals/create-proposals.ts'
import { createProposalOverlay } from './proposals/overlay.ts'
import { proposalRoutes } from './proposals/routes.ts'
import { deleteChangesBefore } from './store/changes.ts'
import { deleteReconciledBefore } from './store/contradictions.ts'
import { deleteClosedBefore } from './store/proposals.ts'
import { ontologyTools } from './tools.ts'
import { transferRoutes } from './transfer/routes.ts'

export const ontologyModule = {
  name: 'ontology',
  settings: [knowledgeSettings],
  migrations: ontologyMigrations,
} as const

export type { EvidenceRef } from './evidence/evidence.ts'
export { parseEvidenceRef } from './evidence/evidence.ts'
export { compareValues } from './operations/guard.ts'
export type { BatchResult, OperationBatch, OperationRequest } from './operations/request.ts'
export type { EvidenceChanges, EvidenceSource } from './ports.ts'
export { knowledgeSettings }
export type OntologyCapability = ReturnType<typeof createOntology>
export type OntologyService = ReturnType<typeof createOntology>['service']

export function createOntology(options: OntologyOptions) {
  const evidenceSources = createExtensionPoint<EvidenceSource>('ontology.evidenceSources')
  const needs = { ...options, evidenceSources }
  const textReader = createTextReader(options.host)
  const { health, measurement, schedule } = createKnowledgeHealth(options)
  return {
    routes: [
      ...proposalRoutes(needs),
      ...operationRoutes(needs),
      ...assertionRoutes(needs),
      ...transferRoutes(needs),
      ...evidenceRoutes(needs),
      ...extractRoutes({ ...needs, textReader }),
    ],
    stop: () => textReader.close(),
    tools: ontologyTools,
    health,
    diagnostics: [graphDomain(options, measurement)],
    /** Assertions in the timeline of sessions. */
    sessionEvents: assertionEvents,
    schedules: [{ name: 'ontology.sweep', everyMs: 21_600_000, run: () => sweep(needs) }, schedule],
    /** Proposals in the overlay of the graph. */
    overlay: createProposalOverlay(options),
    /** Follows rows of the graph that are purged or withheld. */
    erasure: createErasureListener(options),
    evidenceDependant: createEvidenceDependant(options),
    agentRemoval: createAgentRemoval(options),
    evidenceSources,
    extensionPoints: [evidenceSources],
    /** The only way to change the graph; in the caller's transaction, if one is given. */
    service: {
      applyOperations: async (batch: OperationBatch, db?: Db): Promise<BatchResult> => {
        const { ok, batchId, items } = await applyOperations(needs, batch, db)
        return { ok, batchId, items }
      },
      /** Stores pending proposals for review. */
      propose: (proposed: Parameters<typeof createProposals>[1], db?: Db) =>
        createProposals(needs, proposed, db),
      undo: (request: UndoRequest, db?: Db) => undo(needs, request, db),
      readEvidence: (db: Db, agentId: string, { kind, id }: EvidenceRef) =>
        readEvidence(needs, db, { agentId, kind, id }),
      /** For many sources: memories are read with one statement. */
      createEvidenceReader: (db: Db, agentId: string, refs: readonly EvidenceRef[]) =>
        createEvidenceReader(needs, db, { agentId, refs }),
      /** How to find changed sources of a kind that other capabilities store. */
      listEvidenceChanges: (kind: EvidenceRef['kind']) =>
        evidenceSources
          .list()
          .flatMap((source) => (source.kind === kind ? (source.changes ?? []) : [])),
      parseOperation,
      /** What a source states, by rules alone. Nothing is stored. */
      proposeFrom: (source: EvidenceRef, agentId: string) =>
        proposeFrom({ ...needs, textReader }, agentId, source),
      listContradictions: (db: Db, agentId: string, limit: number) =>
        listVisibleContradictions(needs, db, { agentId, status: 'open', limit }),
    },
  }
}

const closedDays = 90
const reconciledDays = 180

/** Deletes expired images, closed proposals and reconciled contradictions. */
async function sweep({ db, host, config }: OntologyNeeds): Promise<void> {
  await deleteChangesBefore(db, daysAgo(host, config().undoDays))
  await deleteClosedBefore(db, daysAgo(host, closedDays))
  await deleteReconciledBefore(db, daysAgo(host, reconciledDays))
}
