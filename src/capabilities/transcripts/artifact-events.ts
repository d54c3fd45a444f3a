import type { ListedArtifact } from './artifact.ts'
import { maxLabelLength, type SessionEvent, type SessionEventSource } from './session-events.ts'
import { countArtifacts, listArtifacts } from './store/artifacts.ts'

export const artifactEvents: SessionEventSource = {
  countEvents: (db, scope, among) => countArtifacts(db, scope, among),
  listEvents: async (db, scope, limit) =>
    (await listArtifacts(db, { ...scope, limit })).map(toEvent),
}

function toEvent(artifact: ListedArtifact): SessionEvent {
  const { sourcePath, sourceKind, project, harness, sessionId, updatedAt } = artifact
  const label = (artifact.memorySentence ?? sourcePath).slice(0, maxLabelLength)
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
