import { realpath } from 'node:fs/promises'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { deleteOldCheckpoints, insertCheckpoint, listCheckpoints } from './store/checkpoints.ts'
import type { Checkpoint, CheckpointTrigger } from './store/rows.ts'
import type { SessionRef } from './transcript.ts'

export interface NewCheckpoint extends SessionRef {
  readonly harness: string
  readonly project?: string | undefined
  readonly trigger: CheckpointTrigger
  readonly digest: CleanText
  readonly promptCount: number
  readonly memoryQueries?: readonly CleanText[] | undefined
  readonly recentRemembers?: readonly CleanText[] | undefined
  readonly focalEntityIds?: readonly string[] | undefined
  readonly focalEntityNames?: readonly CleanText[] | undefined
  readonly activeAspectIds?: readonly string[] | undefined
  readonly surfacedConstraintCount?: number | undefined
  readonly traversalMemoryCount?: number | undefined
  /** Retained checkpoints of the session; older ones are deleted. */
  readonly maxCheckpoints: number
}

/** Upper limit for any configured maximum. */
const maxPerSession = 1_000

export async function saveCheckpoint(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  input: NewCheckpoint,
): Promise<Checkpoint> {
  const { agentId, sessionKey, harness, project = null, trigger, promptCount } = input
  const checkpoint = {
    id: host.newId(),
    agentId,
    sessionKey,
    harness,
    project,
    promptCount,
    projectNormalized: project === null ? null : await resolveProject(project),
    triggerKind: trigger,
    digest: input.digest,
    memoryQueries: toList(input.memoryQueries),
    recentRemembers: toList(input.recentRemembers),
    focalEntityIds: toList(input.focalEntityIds),
    focalEntityNames: toList(input.focalEntityNames),
    activeAspectIds: toList(input.activeAspectIds),
    surfacedConstraintCount: input.surfacedConstraintCount ?? null,
    traversalMemoryCount: input.traversalMemoryCount ?? null,
    createdAt: host.now().toISOString(),
  }
  await insertCheckpoint(db, checkpoint)
  await deleteOldCheckpoints(db, input, input.maxCheckpoints)
  return checkpoint
}

/** Matches the real path of the project and the given name. */
export async function readProjectCheckpoints(
  { db }: Pick<TranscriptsNeeds, 'db'>,
  caller: Caller,
  { project, limit }: { readonly project: string; readonly limit: number },
): Promise<readonly Checkpoint[]> {
  assertInProject(caller, project)
  const paths = [...new Set([project, await resolveProject(project)])]
  const { agentId, scope } = caller
  const filter = { agentId, paths, project: scope.project, limit }
  return (await listCheckpoints(db, filter)).map(redactDigest)
}

export async function readSessionCheckpoints(
  { db }: Pick<TranscriptsNeeds, 'db'>,
  { agentId, scope }: Caller,
  sessionKey: string,
  limit = maxPerSession,
): Promise<readonly Checkpoint[]> {
  const filter = { agentId, sessionKey, project: scope.project, limit }
  return (await listCheckpoints(db, filter)).map(redactDigest)
}

/** Redacts again, because newer versions recognize more credential formats. */
function redactDigest(checkpoint: Checkpoint): Checkpoint {
  return { ...checkpoint, digest: toCleanText(checkpoint.digest) }
}

/** The given name when the path does not exist. */
async function resolveProject(project: string): Promise<string> {
  if (project.includes('\0')) return project
  try {
    return await realpath(project)
  } catch {
    return project
  }
}

function toList(texts: readonly string[] | undefined): string | null {
  return texts ? JSON.stringify(texts) : null
}
