import { expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()
const admin = { role: 'admin' } as const

interface Table {
  readonly name: string
  readonly sampleAllowed: boolean
  readonly columns: readonly { readonly name: string }[]
}

test('the schema lists the tables of the product, and each open one has a sample', async () => {
  const { body } = await service.ask('GET /api/diagnostics/database/schema')
  const tables = body['tables'] as readonly Table[]

  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['jobs', 'memories', 'session_transcripts']),
  )
  expect(tables.find(({ name }) => name === 'memories')).toMatchObject({ group: 'core' })
  for (const { name, sampleAllowed, columns } of tables) {
    const path = `GET /api/diagnostics/database/tables/${encodeURIComponent(name)}/sample?limit=3`
    const sample = await service.ask(path, admin)
    expect([name, sample.status]).toEqual([name, sampleAllowed ? 200 : 400])
    if (sampleAllowed) expect(sample.body['columns']).toEqual(columns.map((column) => column.name))
  }
})

test('a sample has no credential and clamps its limit', async () => {
  const content = `The key is ghp_${'a1B2'.repeat(9)} for the fern.`
  await service.ask('POST /api/memory/remember', { body: { content } })
  const path = 'GET /api/diagnostics/database/tables/memories/sample'
  const { body } = await service.ask(`${path}?limit=1000&offset=-4`)

  expect(body).toMatchObject({ table: 'memories', limit: 100, offset: 0 })
  expect(JSON.stringify(body)).not.toContain('ghp_a1B2')
  expect((await service.ask(`${path}?limit=many`)).body).toMatchObject({ limit: 25 })
})

test('unknown tables are 404, and scoped tokens are refused', async () => {
  const path = (table: string) =>
    `GET /api/diagnostics/database/tables/${encodeURIComponent(table)}/sample`

  for (const table of ['none', 'memories"; drop table memories; --', 'main.memories'])
    expect((await service.ask(path(table))).body['code']).toBe('table_not_found')
  for (const scope of [{ agent: 'ada' }, { project: 'a' }])
    expect((await service.ask(path('memories'), { scope })).status).toBe(403)
})
