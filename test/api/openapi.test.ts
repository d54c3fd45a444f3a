import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  type BodySchema,
  type Described,
  findReplyAt,
  listDescribed,
  readDocument,
} from '../support/described.ts'
import { removeFolder } from '../support/make-folder.ts'
import { createFindErrors, findOpenapiErrors } from '../support/openapi-schema.ts'
import { startService } from '../support/start-service.ts'

const home = await mkdtemp(join(tmpdir(), 'codex-home-'))
const service = await startService({ env: { CODEX_HOME: home } })
afterAll(async () => {
  await service.stop()
  await removeFolder(home)
})

// The example of dream.operations flags this entity.
const entity = { operation: 'create_entity', payload: { name: 'Ferry', type: 'project' } }
await service.ask('POST /api/ontology/operations/apply', { role: 'admin', body: entity })
const document = await readDocument(service)
const findErrors = createFindErrors(document)
/** Operations that run a script of the workspace, do not end, or need a login, a vault or a folder. */
const excluded = [
  'harnesses.regenerate',
  'diagnostics.follow-logs',
  'events.follow',
  'messages.follow',
  'tasks.follow',
  'mcp.listen',
  'inference.complete-login',
  'secrets.vault-a-connect',
  'secrets.vault-a-migrate',
  'secrets.vault-b-connect',
  'secrets.vault-b-import',
  'sources.add-notes-vault',
  'connectors.create',
  'sources.pick-directory',
  'sources.pick-files',
]
const none = { method: '', path: '', query: [], queryAt: () => [], bodyAt: [] }
const operations = listDescribed(document).filter(({ id }) => !excluded.includes(id))

test('the document is valid by the schema of OpenAPI 3.1', () => {
  expect(findOpenapiErrors(document)).toEqual([])
})

test('the validation reads every schema of the document', () => {
  const broken = structuredClone(document) as { components: { schemas: Record<string, unknown> } }
  broken.components.schemas['Broken'] = { properties: { list: { items: [{ type: 'string' }] } } }

  expect(findOpenapiErrors(broken)).not.toEqual([])
  expect(findOpenapiErrors({ ...document, openapi: '3.0.0' })).not.toEqual([])
})

test.each(operations)(
  '$id accepts the bodies of its schema, and answers by it',
  async (operation) => {
    const { method, path, body, bodyAt } = operation
    const bodies = body ? listBodies(body) : [undefined]
    for (const sent of bodies.filter(
      (each) => each === undefined || !findErrors(bodyAt, each).length,
    )) {
      const call = `${method} ${path.replaceAll(/\{\w+\}/g, 'some')}${queryOf(operation)}`
      const reply = await service.ask(call, { role: 'admin', body: sent, headers })

      const about = `${call} ${JSON.stringify(sent)} ${JSON.stringify(reply.body)}`
      if (sent) expect(reply.status, about).not.toBe(400)
      const replyAt = findReplyAt(operation, reply.status)
      expect(replyAt, about).toBeDefined()
      if (replyAt?.length) expect(findErrors(replyAt, reply.body), about).toEqual([])
    }
  },
)

test.each([
  ['agents.remove', 'purge', ['', 'maybe', 'yes', '0']],
  ['memory.list', 'id_prefix', ['', '01a20', 'zzzzzz', '01a206', '01a2067b-48', '01a2067b--4']],
  ['ontology.proposals', 'id_prefix', ['', '01a20', 'zzzzzz', '01a206', '01a2067b-48']],
])('%s accepts the values of %s that its schema accepts', async (id, name, values) => {
  const { method, path, query, queryAt } = operations.find((each) => each.id === id) ?? none
  expect(query).toContain(name)
  for (const value of values) {
    const call = `${method} ${path.replace('{name}', 'some')}?${new URLSearchParams({ [name]: value })}`
    const { status } = await service.ask(call, { role: 'admin' })

    expect(status === 400, call).toBe(findErrors(queryAt(name), value).length > 0)
  }
})

const claim = { harness: 'codex', claimOnly: true }
test.each([
  [{ harness: 'codex', claimOnly: false }],
  [{ ...claim, runtimePath: 'plugin', sessionKey: 'some' }],
  [{ ...claim, runtimePath: 'some', sessionKey: 'some' }],
  [{ ...claim, runtimePath: 'plugin' }],
  [claim],
])('a session start accepts the claim %j if its schema does', async (body) => {
  const { bodyAt } = operations.find(({ id }) => id === 'hooks.session-start') ?? none
  const { status } = await service.ask('POST /api/hooks/session-start', { role: 'admin', body })

  expect(status === 400).toBe(findErrors(bodyAt, body).length > 0)
})

/** Rules that the document cannot express: a body field may come from the query or a header. */
const headers = { 'x-svc-session-key': 'some' }

function queryOf({ query }: Described): string {
  return query.includes('reason') ? '?reason=some' : ''
}

/** The minimal body, with each alternative of the schema, and with each text blank. */
function listBodies(schema: BodySchema): readonly object[] {
  const { properties = {}, required = [], anyOf = [] } = schema
  const sample = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, sampleOf(properties[name])]))
  const least = sample(required)
  const whole = [least, ...anyOf.map((each) => ({ ...least, ...sample(each.required ?? []) }))]
  const last = whole.at(-1)
  const blanks = Object.keys(properties).flatMap((name) =>
    ['', '  ', null].map((blank) => ({ ...last, [name]: blank })),
  )
  return [...whole, ...blanks]
}

function sampleOf(schema: BodySchema = {}): unknown {
  const { type, format, enum: values, properties, anyOf, examples } = schema
  if (examples) return examples[0]
  if (format === 'date-time') return '2026-01-02T03:04:05Z'
  if (values) return values[0]
  if (anyOf?.[0]) return sampleOf(anyOf[0])
  const samples: Readonly<Record<string, unknown>> = {
    array: ['some'],
    boolean: true,
    integer: 1,
    number: 1,
    null: null,
    object: properties ? {} : { some: 1 },
  }
  return samples[[type].flat()[0] ?? 'string'] ?? 'some'
}
