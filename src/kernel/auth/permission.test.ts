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
] as const)('the role %s may do this and no more', (role, permissions) => {
  expect(listPermissions({ role })).toEqual(permissions)
})

test('a token narrows what its role may, and never widens it', () => {
  const permissions = ['recall', 'admin', 'fly']

  expect(listPermissions({ role: 'agent', permissions })).toEqual(['recall'])
  expect(() => assertPermission('remember', { role: 'agent', permissions })).toThrow(
    "role 'agent' lacks 'remember' permission",
  )
})

test.each([
  [{}, 'any', false],
  [{}, null, false],
  [{ project: 'apollo' }, 'apollo', false],
  [{ project: 'apollo' }, 'gemini', true],
  [{ project: 'apollo' }, null, true],
])('with the scope %j, project %s is out of reach: %s', (scope, project, refused) => {
  const ask = () => assertInProject({ ...callerFor('ada'), scope }, project)

  if (refused) expect(ask).toThrow("scope restricted to project 'apollo'")
  else expect(ask).not.toThrow()
})

test.each([
  [{ project: 'apollo' }, "scope restricted to project 'apollo'"],
  [{ agent: 'ada' }, "scope restricted to agent 'ada'"],
])('an operation beyond every scope is refused to %j', (scope, message) => {
  expect(() => assertUnscoped({ scope })).toThrow(message)
  expect(() => assertUnscoped({ scope: {} })).not.toThrow()
})
