import { expect, test } from 'vitest'
import { ReverieError } from '../../client/public/reverie-error.ts'
import { nameOptions } from './name-options.ts'

const fields = [
  { part: 'body', name: 'content', source: 0 },
  { part: 'body', name: 'toAgentId', source: 'to' },
  { part: 'body', name: 'toSessionKey', source: 'session' },
  { part: 'body', name: 'broadcast', source: 'broadcast' },
  { part: 'query', name: 'dry_run', source: 'dryRun' },
] as const

test.each([
  [
    'toAgentId, toSessionKey or broadcast is required',
    '--to, --session or --broadcast is required',
  ],
  [
    'broadcast has no target: leave out toAgentId and toSessionKey',
    '--broadcast has no target: leave out --to and --session',
  ],
  ['dry_run is a flag', '--dry-run is a flag'],
  ['content: too long', 'content: too long'],
  ['this broadcast has no toAgentIds', 'this broadcast has no toAgentIds'],
])('%s becomes %s', (message, expected) => {
  const refused = new ReverieError({ code: 'invalid_request', message, status: 400 })
  expect(nameOptions(refused, fields)).toMatchObject({
    code: 'invalid_request',
    message: expected,
    status: 400,
  })
})

test('other errors stay', () => {
  const error = new ReverieError({ code: 'not_found', message: 'toAgentId', status: 404 })
  expect(nameOptions(error, fields)).toBe(error)
})
