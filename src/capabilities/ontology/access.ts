import type { Caller } from '../../kernel/auth/caller.ts'
import { outOfScope } from '../../kernel/auth/permission.ts'

/** A graph is of all projects, so a token of one project changes and reads none of it. */
export function assertWholeGraph({ caller }: { readonly caller: Caller }): void {
  const { project } = caller.scope
  if (project !== undefined) throw outOfScope('project', project)
}
