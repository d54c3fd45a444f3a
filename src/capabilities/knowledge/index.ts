import type { Db } from '../../kernel/db/database.ts'
import { traversalSettings } from './config.ts'
import { createAgentRemoval, createEvidenceDependant } from './evidence/dependant.ts'
import { createOrphanCount, createOrphanRemoval } from './evidence/remove-orphans.ts'
import { createEmptyGraphs } from './focal/empty-graphs.ts'
import { createEntitySource, createGraphSource } from './focal/sources.ts'
import { knowledgeMigrations } from './migrations.ts'
import { idRoutes, versionRoutes } from './navigation/id-routes.ts'
import { readDetail, readEntities } from './navigation/read-entities.ts'
import { readClaimEvidence, readLinkEvidence } from './navigation/read-evidence.ts'
import { readAspects, readValues } from './navigation/read-path.ts'
import { findByName } from './navigation/resolve.ts'
import { navigationRoutes } from './navigation/routes.ts'
import type { KnowledgeNeeds } from './needs.ts'
import { overlayRoutes } from './overlay/routes.ts'
import { createPorts } from './ports.ts'
import { createRelink } from './relink.ts'
import { createSourceGraph } from './source-graph/source-graph.ts'
import {
  countAspects,
  listCrowdedSlots,
  listDueClaims,
  listEntitiesWithClaims,
  listGeneric,
  listUnkeyedClaims,
} from './store/candidates.ts'
import { findAnyLink, findClaim, findLink, listSlot } from './store/claims.ts'
import { saveDegrees } from './store/degrees.ts'
import { listDuplicates } from './store/duplicates.ts'
import { findArchived, listAliases, listByNames } from './store/entities.ts'
import { exportedKinds, listExported, listExportedCitations } from './store/exported.ts'
import { listClaimCitations, listClaimsById, listClaimsOf, listNames } from './store/ledger.ts'
import { listNamedLinks } from './store/links.ts'
import { rebuildNames } from './store/names.ts'
import {
  hasSubject,
  listVisibleClaims,
  listWithMerged,
  mergeReason,
  readSubjects,
} from './store/subjects.ts'
import { countTotals } from './store/totals.ts'
import { knowledgeTools } from './tools.ts'
import { addAlias, archiveAlias } from './write/aliases.ts'
import { archiveAspect, archiveClaims, archiveEntity, archiveLink } from './write/archive.ts'
import { renameAspect, upsertAspect } from './write/aspects.ts'
import { pinEntity, renameEntity, upsertEntity } from './write/entities.ts'
import {
  beginWrite,
  finishWrites,
  type GraphWrite,
  settleWrite,
  type WriteRequest,
} from './write/graph-write.ts'
import { importValue } from './write/import-value.ts'
import { readKnownRows } from './write/known-rows.ts'
import { createLink, updateLink } from './write/links.ts'
import { mergeEntities } from './write/merge.ts'
import { createRenameJob } from './write/rename-job.ts'
import { restoreRows } from './write/restore-rows.ts'
import { selectAspect, selectEntity } from './write/select.ts'
import { splitEntity } from './write/split.ts'
import { addValue, pinClaim, restoreValue, setValue, supersedeValues } from './write/values.ts'

export type { Claim } from './claim.ts'
export { normalizeValue } from './claim.ts'
export type { Alias, Entity } from './entity.ts'
export { isSourceId, toKnownType } from './entity.ts'
export type { Link } from './link.ts'
export { isDependencyType } from './link.ts'
export { toCanonicalKey, toCanonicalName } from './name.ts'
export { claimEvidenceReply, linkEvidenceReply } from './navigation/replies.ts'
export { claimEvidenceQuery } from './navigation/schemas.ts'
export type { ErasureListener, OverlayMetadata, WithheldEntities } from './ports.ts'
export { classifyName, isFunctionWord } from './quality.ts'
export type { SourceCounts, SourceGraph } from './source-graph/source-graph.ts'
export type { SourceRows } from './source-graph/source-rows.ts'
export type { Change } from './store/images.ts'
export type { GraphWrite, Source } from './write/graph-write.ts'
export type { KnownRows } from './write/known-rows.ts'
export { digestOf, toUndoImage, type UndoImage } from './write/undo-image.ts'
export type KnowledgeCapability = ReturnType<typeof createKnowledge>
export { traversalSettings } from './config.ts'
export const knowledgeModule = {
  name: 'knowledge',
  settings: [traversalSettings],
  migrations: knowledgeMigrations,
} as const

const degreesEveryMs = 600_000

/** Reads for capabilities that work on a whole graph. */
const graphReads = {
  countTotals,
  /** What texts of another capability are about. */
  subjects: {
    read: readSubjects,
    has: hasSubject,
    findByName,
    listByNames,
    listWithMerged,
    listVisibleClaims,
  },
  /** Reads for tools of models. */
  reader: {
    readEntities,
    readDetail,
    readAspects,
    readValues,
    readClaimEvidence,
    readLinkEvidence,
    listNamedLinks,
    selectEntity,
    selectAspect,
  },
  /** Rows that a person may want to look at. */
  candidates: {
    listCrowdedSlots,
    listDueClaims,
    listDuplicates,
    listEntitiesWithClaims,
    listGeneric,
    listUnkeyedClaims,
    countAspects,
  },
  /** Rows of an export, in pages. */
  exported: {
    kinds: exportedKinds,
    list: listExported,
    listCitations: listExportedCitations,
    findLink: findAnyLink,
    rebuildNames,
  },
  ledger: { listNames, listClaimsOf, listClaimsById, listClaimCitations },
} as const

export function createKnowledge(options: KnowledgeNeeds) {
  const ports = createPorts()
  const needs = { ...options, ...ports, emptyGraphs: createEmptyGraphs(options.db) }
  return {
    ...ports,
    /** Rows that repeat what sources say. */
    sourceGraph: createSourceGraph(needs),
    /** What recall and hooks read of the graph. */
    graphSource: createGraphSource(needs),
    entitySource: createEntitySource(needs),
    extensionPoints: Object.values(ports),
    evidenceDependant: createEvidenceDependant(needs),
    agentRemoval: createAgentRemoval(needs),
    routes: [
      ...navigationRoutes(needs),
      ...idRoutes(needs),
      ...versionRoutes(needs),
      ...overlayRoutes(needs),
    ],
    tools: knowledgeTools,
    repairs: [createRelink(needs), createOrphanRemoval(needs)],
    countOrphanedLinks: createOrphanCount(needs),
    jobs: [createRenameJob(needs)],
    schedules: [createDegreesSchedule(options)],
    ...graphReads,
    /** Changes the graph in the caller's transaction. For ontology alone: see `write/README.md`. */
    write: {
      readKnownRows,
      begin: (request: WriteRequest) => beginWrite(needs, request),
      settle: settleWrite,
      finish: (db: Db, writes: readonly GraphWrite[]) => finishWrites(needs, db, writes),
      selectEntity,
      selectAspect,
      findClaim,
      findLink,
      findArchived,
      listAliases,
      listDuplicates,
      listSlot,
      upsertEntity,
      renameEntity,
      archiveEntity,
      pinEntity,
      mergeEntities,
      mergeReason,
      splitEntity,
      upsertAspect,
      renameAspect,
      archiveAspect,
      addValue,
      setValue,
      importValue,
      supersedeValues,
      archiveClaims,
      restoreValue,
      pinClaim,
      createLink,
      updateLink,
      archiveLink,
      addAlias,
      archiveAlias,
      restoreRows,
    },
  }
}

function createDegreesSchedule({ db, host }: Pick<KnowledgeNeeds, 'db' | 'host'>) {
  return {
    name: 'knowledge.degrees',
    everyMs: degreesEveryMs,
    run: () => saveDegrees(db, host.now().toISOString()),
  }
}
