import { expect, test } from 'vitest'
import { callerFor } from '../testing/caller-for.ts'
import { assertInProject, assertPermission, assertUnscoped, listPermissions } from './permission.ts'

const everyday = ['remember', 'recall', 'modify', 'forget', 'recover', 'documents'] as const
const operations = [...everyday, 'connectors', 'diagnostics', 'analytics'] as const

test.each([
  ['admin', [...operations, 'admin']],
  ['operator', operations],
  ['agent', everyday],
  ['readonly', ['recall']],
] as const)('the role %s has exactly its permissions', (role, permissions) => {
  expect(listPermissions({ role })).toEqual(permissions)
})

test('a token restricts the permissions of its role and never extends them', () => {
  const permissions = ['recall', 'admin', 'fly']

  expect(listPermissions({ role: 'agent', permissions })).toEqual(['recall'])
  expect(() => assertPermission('remember', { role: 'agent', permissions })).toThrow(
    "role 'agent' lacks 'remember' permission",
  )
})

test('admin implies gateway, which no role lists', () => {
  expect(() => assertPermission('gateway', { role: 'admin' })).not.toThrow()
  const admin = { role: 'admin', permissions: ['admin'] } as const
  expect(() => assertPermission('gateway', admin)).not.toThrow()
  expect(listPermissions(admin)).toEqual(['admin'])
  for (const role of ['operator', 'agent', 'readonly'] as const)
    for (const permissions of [undefined, ['gateway']])
      expect(() => assertPermission('gateway', { role, permissions })).toThrow("lacks 'gateway'")
})

test('a token of an administrator may name gateway and has nothing else', () => {
  const gateway = { role: 'admin', permissions: ['gateway'] } as const

  expect(listPermissions(gateway)).toEqual(['gateway'])
  expect(() => assertPermission('gateway', gateway)).not.toThrow()
  for (const permission of [...operations, 'admin'] as const)
    expect(() => assertPermission(permission, gateway)).toThrow(`lacks '${permission}'`)
  const recall = { role: 'admin', permissions: ['recall'] } as const
  expect(() => assertPermission('gateway', recall)).toThrow("lacks 'gateway'")
})

test.each([
  [{}, 'any', false],
  [{}, null, false],
  [{ project: 'apollo' }, 'apollo', false],
  [{ project: 'apollo' }, 'gemini', true],
  [{ project: 'apollo' }, null, true],
])('with the scope %j, access to project %s is refused: %s', (scope, project, refused) => {
  const check = () => assertInProject({ ...callerFor('ada'), scope }, project)

  if (refused) expect(check).toThrow("scope restricted to project 'apollo'")
  else expect(check).not.toThrow()
})

test.each([
  [{ project: 'apollo' }, "scope restricted to project 'apollo'"],
  [{ agent: 'ada' }, "scope restricted to agent 'ada'"],
])('refuses an unscoped operation to a token with the scope %j', (scope, message) => {
  expect(() => assertUnscoped({ scope })).toThrow(message)
  expect(() => assertUnscoped({ scope: {} })).not.toThrow()
})
