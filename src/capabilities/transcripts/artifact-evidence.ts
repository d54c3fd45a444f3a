import type { ListedArtifact } from './artifact.ts'
import { type BlackBoxEvent, type EvidenceSource, longestLabel } from './black-box.ts'
import { countArtifacts, listArtifacts } from './store/artifacts.ts'

export const artifactEvidence: EvidenceSource = {
  countEvents: (db, scope, among) => countArtifacts(db, scope, among),
  listEvents: async (db, scope, limit) =>
    (await listArtifacts(db, { ...scope, limit })).map(toEvent),
}

function toEvent(artifact: ListedArtifact): BlackBoxEvent {
  const { sourcePath, sourceKind, project, harness, sessionId, updatedAt } = artifact
  const label = (artifact.memorySentence ?? sourcePath).slice(0, longestLabel)
  return {
    id: `artifact:${sourcePath}`,
    kind: 'artifact.written',
    at: updatedAt,
    title: `The ${sourceKind} was written`,
    detail: artifact.memorySentence ?? sourcePath,
    refs: [{ kind: 'source_artifact', id: sourcePath, label, sourcePath }],
    payload: { project, harness, sessionId },
  }
}
