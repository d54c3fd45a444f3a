import { describe, expect, test } from 'vitest'
import { callOf, listOperations } from '../support/operations.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()

const { paths } = (await service.ask('GET /openapi.json')).body
const operations = await listOperations(service)
/** The second path of an operation is named `operation.2`, and so on. */
const isAlias = /\.\d+ \(/
const aliases = operations
  .filter(({ name }) => isAlias.test(name))
  .map((alias) => ({ ...alias, original: originalOf(alias.name) }))

function originalOf(alias: string) {
  const [name] = alias.split(isAlias)
  const original = operations.find((operation) => operation.name.startsWith(`${name} (`))
  if (!original) throw new Error(`${alias} is the alias of nothing`)
  return original
}

function describedAt({ method, path }: { readonly method: string; readonly path: string }) {
  const methods = (paths as Record<string, Record<string, object>>)[path]
  return { ...methods?.[method.toLowerCase()], operationId: '' }
}

test('some operations have several paths', () => {
  expect(aliases.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/api/memory/save', '/api/hook/remember']),
  )
})

describe.each(aliases)('$name', (alias) => {
  test('accepts and returns what the first path does, for the same callers', () => {
    expect(describedAt(alias)).toEqual(describedAt(alias.original))
  })

  test.each(['{', '[]', '{}', '{"content":7,"query":7,"patches":7}'])(
    'refuses %s with the same text',
    async (body) => {
      const answer = async (operation: typeof alias.original) => {
        const sent = operation.method === 'GET' ? {} : { body }
        const { status, body: reply } = await service.ask(callOf(operation), sent)
        return { status, reply }
      }

      expect(await answer(alias)).toEqual(await answer(alias.original))
    },
  )
})

test.for(aliases.filter(({ original }) => original.name.startsWith('memory.remember ')))(
  '$name saves what the first path saves',
  async ({ path }) => {
    const save = async (path: string) => {
      const body = { content: `critical: [Work]: said at ${path}`, sessionId: 's-1' }
      return (await service.ask(`POST ${path}`, { body })).body
    }
    const here = await save(path)

    expect(here).toMatchObject({ pinned: true, tags: 'work', deduped: false })
    const body = { content: `critical: [Work]: said at ${path}` }
    const there = (await service.ask('POST /api/memory/remember', { body })).body
    expect(there).toEqual({ ...here, deduped: true })
  },
)
