import { Refusal } from '../errors/refusal.ts'
import { type Caller, type Permission, permissionsOf, type Scope } from './caller.ts'

type Holder = Pick<Caller, 'role' | 'permissions'>

export function assertPermission(permission: Permission, holder: Holder): void {
  if (listPermissions(holder).includes(permission)) return
  const message = `role '${holder.role}' lacks '${permission}' permission`
  throw new Refusal('forbidden', 'permission_missing', message)
}

/** What the role may, less what the token leaves out. */
export function listPermissions({ role, permissions }: Holder): readonly Permission[] {
  return [...permissionsOf[role]].filter((each) => permissions?.includes(each) ?? true)
}

/** Whether a token may see what is stored under this project; a row under none is outside every project. */
export function isInProject(
  { scope }: { readonly scope: Scope },
  project: string | null | undefined,
): boolean {
  return scope.project === undefined || scope.project === project
}

/** Asked of the row that a write is about; a read filters by the claim instead. */
export function assertInProject(
  { scope }: { readonly scope: Scope },
  project: string | null | undefined,
): void {
  if (scope.project !== undefined && !isInProject({ scope }, project))
    throw outOfScope('project', scope.project)
}

/** For operations that reach beyond any one project or agent. */
export function assertUnscoped({ scope }: { readonly scope: Scope }): void {
  if (scope.project !== undefined) throw outOfScope('project', scope.project)
  if (scope.agent !== undefined) throw outOfScope('agent', scope.agent)
}

export function outOfScope(claim: keyof Scope, value: string): Refusal {
  return new Refusal('forbidden', 'out_of_scope', `scope restricted to ${claim} '${value}'`)
}
