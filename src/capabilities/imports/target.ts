import type { Caller } from '../../kernel/auth/caller.ts'
import { assertAllProjects } from '../../kernel/auth/permission.ts'
import type { ImportFile, ImportJob } from './import-job.ts'
import type { ImportsNeeds } from './needs.ts'
import { importNotFound, importRefusal } from './refusals.ts'
import { findFile } from './store/files.ts'
import { findJob } from './store/jobs.ts'

/** Imports contain the conversations of all projects and belong to the agent of the daemon. */
export function assertTarget({ agentId }: Pick<ImportsNeeds, 'agentId'>, caller: Caller): void {
  assertAllProjects({ caller })
  if (caller.agentId !== agentId) throw importRefusal('agent_scope_denied')
}

export async function readJob(needs: ImportsNeeds, caller: Caller, id: string): Promise<ImportJob> {
  assertTarget(needs, caller)
  const job = await findJob(needs.db, needs.agentId, id)
  if (!job) throw importNotFound()
  return job
}

export interface FileRef {
  readonly jobId: string
  readonly fileId: string
}

export async function readFile(
  needs: ImportsNeeds,
  caller: Caller,
  { jobId, fileId }: FileRef,
): Promise<{ readonly job: ImportJob; readonly file: ImportFile }> {
  const job = await readJob(needs, caller, jobId)
  const file = await findFile(needs.db, { agentId: needs.agentId, jobId, id: fileId })
  if (!file) throw importNotFound()
  return { job, file }
}
