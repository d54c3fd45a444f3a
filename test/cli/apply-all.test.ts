import { afterAll, expect, test } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())
const kim = reverieOf(service, 'operator', 'kim')

test('apply --all shows the pending proposals, asks, and reports each refusal', async () => {
  const write = (operation: string, payload: object) =>
    kim.json(['ontology', 'propose', operation, '--payload', JSON.stringify(payload)])
  const slot = { aspect: 'team', claim_key: 'lead' }
  const link = { source_entity: 'Rigel', target_entity: 'Spica', link_type: 'uses' }
  await write('create_link', link)
  await write('create_entity', { name: 'Rigel' })
  await write('create_entity', { name: 'Spica' })
  await write('add_claim_value', { ...slot, entity: 'Rigel', value: 'Maud' })
  await write('add_claim_value', { ...slot, entity: 'Rigel', value: 'Otto' })
  await write('archive_entity', { entity: 'Nowhere' })
  const all = ['ontology', 'apply', '--all']

  const unconfirmed = await kim.run(all)
  expect(unconfirmed.code).toBe(2)
  expect(unconfirmed.stderr).toMatch(/create_entity +0\.7 +name=Rigel/)
  expect(unconfirmed.stderr).toMatch(/values that differ:\nRigel \/ team \/ general \/ lead/)
  expect(unconfirmed.stderr).toContain('6 proposals would be applied; nothing was changed')

  const dryRun = await kim.run([...all, '--operation', 'create_entity', '--dry-run'])
  expect(dryRun).toMatchObject({
    code: 0,
    stdout: '2 of 2 proposals can be applied; nothing was changed\n',
  })
  expect((await kim.run(['entities', 'show', 'Rigel'])).code).toBe(4)

  const ofEntity = await kim.run([...all, '--entity', 'rigel ', '--yes'])
  expect(ofEntity.code).toBe(6)
  expect(ofEntity.stdout).toMatch(/^✗ create_link [\da-f-]{36}: .*\n✓ Applied 3 of 4 proposals\n$/)

  const { code, stdout } = await kim.run([...all, '--yes', '--json'])
  expect(code).toBe(6)
  expect(JSON.parse(stdout)).toMatchObject({
    requested: 3,
    applied: 2,
    results: [{}, { code: 'not_found' }, { operation: 'create_link', status: 'applied' }],
  })
  const { id } = JSON.parse(stdout).results[1]
  await kim.json(['ontology', 'reject', id, '--reason', 'unknown'])
  expect(await kim.run(all)).toMatchObject({
    code: 0,
    stdout: 'No pending proposal matches. List all: reverie ontology proposals\n',
  })
})

test.each([[['--all', '0195f3a0']], [[]], [['0195f3a0', '--entity', 'Atlas']]])(
  'apply %j names either ids or --all',
  async (args) => {
    const { code, stderr } = await kim.run(['ontology', 'apply', ...args])
    expect(code).toBe(2)
    expect(stderr).toContain('pass either ids or --all')
  },
)
