import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, assertPermission } from '../../kernel/auth/permission.ts'
import type { RecallNeeds } from './needs.ts'
import { type RecallRequest, wantsSave } from './schemas.ts'

type SaveNeeds = Pick<RecallNeeds, 'memory'>

/** Saving an aggregate needs `remember`, a project within the scope, and a writable store. */
export function assertMaySave(needs: SaveNeeds, caller: Caller, { project }: RecallRequest): void {
  assertMayRemember(needs, caller)
  assertInProject(caller, project ?? caller.scope.project)
}

/** The checks that are possible before the body is validated. */
export function precheckSave(
  needs: SaveNeeds,
  { caller, body }: { readonly caller: Caller; readonly body: unknown },
): void {
  if (wantsSave(body)) assertMayRemember(needs, caller)
}

function assertMayRemember({ memory }: SaveNeeds, caller: Caller): void {
  assertPermission('remember', caller)
  memory.assertWritable()
}
