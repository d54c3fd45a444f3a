import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, assertPermission } from '../../kernel/auth/permission.ts'
import type { RecallNeeds } from './needs.ts'
import { asksToSave, type RecallRequest } from './schemas.ts'

type SavingNeeds = Pick<RecallNeeds, 'memory'>

/** An answer is saved by who may remember, in a project that is the caller's, and not while nothing may change. */
export function refuseSaving(needs: SavingNeeds, caller: Caller, { project }: RecallRequest): void {
  refuseAnySaving(needs, caller)
  assertInProject(caller, project ?? caller.scope.project)
}

/** As much of it as is known before anything that was sent is checked. */
export function refuseSavingSent(
  needs: SavingNeeds,
  { caller, body }: { readonly caller: Caller; readonly body: unknown },
): void {
  if (asksToSave(body)) refuseAnySaving(needs, caller)
}

function refuseAnySaving({ memory }: SavingNeeds, caller: Caller): void {
  assertPermission('remember', caller)
  memory.assertWritable()
}
