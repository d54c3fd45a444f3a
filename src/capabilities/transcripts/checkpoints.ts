import { realpath } from 'node:fs/promises'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Checkpoint, CheckpointTrigger } from './checkpoint.ts'
import type { TranscriptsNeeds } from './needs.ts'
import {
  deleteSurplus,
  insertCheckpoint,
  listProjectCheckpoints,
  listSessionCheckpoints,
} from './store/checkpoints.ts'
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
  /** How many the session may have; the oldest go. */
  readonly keepAtMost: number
}

/** A session has no more than these, whatever it is allowed. */
const mostOfSession = 1_000

export async function keepCheckpoint(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  given: NewCheckpoint,
): Promise<Checkpoint> {
  const { agentId, sessionKey, harness, project = null, trigger, promptCount } = given
  const checkpoint = {
    ...{ id: host.newId(), agentId, sessionKey, harness, project, promptCount },
    projectNormalized: project === null ? null : await resolveProject(project),
    triggerKind: trigger,
    digest: given.digest,
    memoryQueries: toList(given.memoryQueries),
    recentRemembers: toList(given.recentRemembers),
    focalEntityIds: toList(given.focalEntityIds),
    focalEntityNames: toList(given.focalEntityNames),
    activeAspectIds: toList(given.activeAspectIds),
    surfacedConstraintCount: given.surfacedConstraintCount ?? null,
    traversalMemoryCount: given.traversalMemoryCount ?? null,
    createdAt: host.now().toISOString(),
  }
  await insertCheckpoint(db, checkpoint)
  await deleteSurplus(db, given, given.keepAtMost)
  return checkpoint
}

/** Those of a project, by its real path or as it was written. */
export async function listOfProject(
  { db }: Pick<TranscriptsNeeds, 'db'>,
  caller: Caller,
  { project, limit }: { readonly project: string; readonly limit: number },
): Promise<readonly Checkpoint[]> {
  assertInProject(caller, project)
  const paths = [...new Set([project, await resolveProject(project)])]
  const { agentId, scope } = caller
  const filter = { agentId, paths, project: scope.project, limit }
  return (await listProjectCheckpoints(db, filter)).map(toShown)
}

export async function listOfSession(
  { db }: Pick<TranscriptsNeeds, 'db'>,
  { agentId, scope }: Caller,
  sessionKey: string,
  limit = mostOfSession,
): Promise<readonly Checkpoint[]> {
  const within = { project: scope.project, limit }
  return (await listSessionCheckpoints(db, { agentId, sessionKey }, within)).map(toShown)
}

/** Redacted when it was kept as well: formats are learned later than texts are written. */
function toShown(checkpoint: Checkpoint): Checkpoint {
  return { ...checkpoint, digest: toCleanText(checkpoint.digest) }
}

/** As it is written where nothing of the name is there. */
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
