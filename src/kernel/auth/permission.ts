import { Refusal } from '../errors/refusal.ts'
import {
  type Caller,
  impliedPermissions,
  type Permission,
  permissionsOf,
  type Scope,
} from './caller.ts'

type Holder = Pick<Caller, 'role' | 'permissions'>

export function hasPermission(permission: Permission, holder: Holder): boolean {
  const permissions = listPermissions(holder)
  return permissions.includes(permission) || permissions.flatMap(listImplied).includes(permission)
}

export function assertPermission(permission: Permission, holder: Holder): void {
  if (hasPermission(permission, holder)) return
  const message = `role '${holder.role}' lacks '${permission}' permission`
  throw new Refusal('forbidden', 'permission_missing', message)
}

/** Returns the permissions of the role, restricted by the token. */
export function listPermissions({ role, permissions }: Holder): readonly Permission[] {
  const own = [...permissionsOf[role]]
  if (!permissions) return own
  return [...own, ...own.flatMap(listImplied)].filter((each) => permissions.includes(each))
}

/** Refuses to create a credential with a permission that its maker lacks. */
export function assertMayGrant(maker: Holder, credential: Holder): void {
  const [makerPermissions, requestedPermissions] = [maker, credential].map((holder) => {
    const permissions = listPermissions(holder)
    return [...permissions, ...permissions.flatMap(listImplied)]
  })
  const missing = requestedPermissions?.find(
    (permission) => !makerPermissions?.includes(permission),
  )
  if (missing === undefined) return
  const message = `The caller lacks the permission '${missing}' and cannot grant it. List fewer permissions.`
  throw new Refusal('forbidden', 'grant_exceeds_maker', message)
}

function listImplied(permission: Permission): readonly Permission[] {
  return impliedPermissions[permission] ?? []
}

/**
 * Returns whether a token may access rows of this project. A scoped token accesses no row without a
 * project.
 */
export function isInProject(
  { scope }: { readonly scope: Scope },
  project: string | null | undefined,
): boolean {
  return scope.project === undefined || scope.project === project
}

/** Checks the row that a write concerns. Reads filter by the claim instead. */
export function assertInProject(
  { scope }: { readonly scope: Scope },
  project: string | null | undefined,
): void {
  if (scope.project !== undefined && !isInProject({ scope }, project))
    throw outOfScope('project', scope.project)
}

/** For data of all projects, such as a knowledge graph. */
export function assertAllProjects({ caller }: { readonly caller: Pick<Caller, 'scope'> }): void {
  const { scope } = caller
  if (scope.project !== undefined) throw outOfScope('project', scope.project)
}

/** For operations that are not limited to one project or agent. */
export function assertUnscoped({ scope }: { readonly scope: Scope }): void {
  assertAllProjects({ caller: { scope } })
  if (scope.agent !== undefined) throw outOfScope('agent', scope.agent)
}

export function outOfScope(claim: keyof Scope, value: string): Refusal {
  return new Refusal('forbidden', 'out_of_scope', `scope restricted to ${claim} '${value}'`)
}
