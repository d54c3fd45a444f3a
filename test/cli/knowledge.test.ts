import { afterAll, describe, expect, test } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())
const ada = reverieOf(service, 'operator', 'ada')
const empty = reverieOf(service, 'operator', 'vera')

/** The output of a run that succeeds. */
async function out(args: readonly string[], input = '', as = ada): Promise<string> {
  const { code, stdout, stderr } = await as.run(args, input)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

async function propose(operation: string, payload: object): Promise<string> {
  const args = ['ontology', 'propose', operation, '--payload', JSON.stringify(payload)]
  return String((await ada.json(args))['id'])
}

describe('an agent without a graph', () => {
  test.each([
    [['entities', 'list'], 'reverie entities set'],
    [['entities'], 'reverie entities set'],
    [['ontology', 'proposals'], 'reverie ontology propose'],
    [['ontology', 'conflicts'], 'reverie ontology proposals'],
    [['ontology', 'assertions'], 'reverie ontology assert'],
  ])('%s names the next command', async (args, next) => {
    expect(await out(args, '', empty)).toContain(next)
  })

  test('an unknown entity exits with 4 and names the command that lists them', async () => {
    for (const args of [
      ['show', 'Nix'],
      ['pin', 'Nix'],
      ['rename', 'Nix', 'Nyx'],
      ['claims', 'Nix'],
    ]) {
      const { code, stderr } = await empty.run(['entities', ...args])
      expect([args, code]).toEqual([args, 4])
      expect(stderr).toMatch(/Nix\n {2}.*reverie entities/)
    }
  })
})

describe('entities', () => {
  test('set creates a claim, which list, show, tree and claims show', async () => {
    await out(['entities', 'set', 'Atlas', 'runtime', 'language', 'Atlas is written in Go'])
    await out([
      'entities',
      'set',
      'Atlas',
      'team',
      'member',
      'Maud',
      '--add',
      '--quote',
      'Maud joined',
    ])
    await out(['entities', 'set', 'Atlas', 'team', 'member', 'Otto', '--add'])

    expect(await out(['entities', 'list', '--query', 'atl'])).toMatch(/Atlas +\w+ +0 +2 +3/)
    expect(await out(['entity', 'show', 'atlas'])).toMatch(/values +3\n/)
    expect(await out(['entities', 'tree', 'Atlas'])).toMatch(
      /runtime \(1 claim\)\n +general \(1 claim\)\n +language: Atlas is written in Go \(1 active, 0 superseded\)/,
    )
    expect(await out(['entities', 'tree', 'Atlas', '--depth', '1'])).not.toContain('general')
    expect(await out(['entities', 'claims', 'Atlas', '--aspect', 'Team'])).toMatch(
      /^aspect.*\nteam +general +member +\w+ +2 +0 *\n/,
    )
    const values = await out([
      'entities',
      'claims',
      'Atlas',
      '--aspect',
      'team',
      '--claim',
      'member',
    ])
    expect(values).toMatch(/Maud +active +1 .*ontology_proposal /)
    expect(values).toContain('Otto')
    const [, proposal = ''] = /Maud.*ontology_proposal (\S+)/.exec(values) ?? []
    const shown = await out(['ontology', 'show', proposal])
    expect(shown.split('\n  Maud joined')).toHaveLength(2)
  })

  test('set replaces a value, which history and --status all show', async () => {
    const change = ['entities', 'set', 'Atlas', 'runtime', 'language', 'Atlas is written in Rust']
    expect(await out([...change, '--dry-run'])).toMatch(
      /create +entityAttributes.*\n[\s\S]*nothing was changed/,
    )
    expect(await out(['entities', 'history', 'Atlas', 'runtime', 'language'])).not.toContain('Rust')
    await out(change)

    const missing = await ada.run(['entities', 'history', 'Atlas', 'runtime', 'licence'])
    expect(missing.stderr).toContain('there is no claim Atlas runtime licence')
    const absent = await ada.run(['entities', 'claims', 'Nowhere'])
    expect(absent.stderr).toContain('there is no entity Nowhere')
    const slot = ['Nowhere', '--aspect', 'runtime', '--claim', 'licence']
    const without = await ada.run(['entities', 'claims', ...slot])
    expect(without.stderr).toContain('there is no claim Nowhere runtime licence')
    const history = await out(['entities', 'history', 'Atlas', 'runtime', 'language'])
    expect(history).toMatch(/in Rust +active +2[\s\S]*in Go +superseded +1/)
  })

  test('set cites a memory by the prefix of its id', async () => {
    const { id } = await ada.json(['remember', 'Atlas stores its rows in PostgreSQL'])
    const memory = String(id).slice(0, 13)
    const quote = 'Atlas stores its rows in PostgreSQL'
    const set = ['entities', 'set', 'Atlas', 'storage', 'database', quote, '--memory', memory]
    const misquoted = await ada.run([...set, '--quote', 'Atlas stores its rows in Oracle'])
    expect(misquoted.code).toBe(6)
    expect(misquoted.stderr).toContain('The quote does not occur in its source')
    await out([...set, '--quote', quote])

    const path = ['--aspect', 'storage', '--claim', 'database']
    expect(await out(['entities', 'claims', 'Atlas', ...path])).toContain(`"${quote}"`)
  })

  test('link, alias, unalias, pin and unpin', async () => {
    await propose('create_entity', { name: 'PostgreSQL', entity_type: 'tool' }).then((id) =>
      out(['ontology', 'apply', id]),
    )
    await out(['entities', 'link', 'Atlas', 'depends_on', 'PostgreSQL'])
    expect(await out(['entities', 'show', 'Atlas'])).toMatch(/links +1 out, 0 in/)
    await out(['entities', 'alias', 'atlas', 'The Big Map'])
    expect(await out(['entities', 'show', 'the big map'])).toMatch(/name +Atlas/)
    await out(['entities', 'pin', 'the  BIG map'])
    expect(await out(['entities', 'show', 'Atlas'])).toMatch(/pinned +yes/)
    await out(['entities', 'unpin', 'Atlas'])
    await out(['entities', 'unalias', 'Atlas', 'the big map'])
    const gone = await ada.run(['entities', 'unalias', 'Atlas', 'the big map'])
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('Its aliases: none')])
  })

  test('a part of a name changes nothing', async () => {
    for (const args of [
      ['pin', 'Atl'],
      ['alias', 'Atl', 'Map'],
      ['rename', 'Atl', 'Map'],
    ])
      expect((await ada.run(['entities', ...args])).code).toBe(4)
    expect((await ada.run(['entities', 'pin', 'Atl'])).stderr).toContain('Did you mean Atlas?')
  })

  test('split, merge, rename and archive', async () => {
    const { code, stderr } = await ada.run([
      'entities',
      'split',
      'Atlas',
      '--into',
      'Crew',
      '--aspect',
      'none',
    ])
    expect([code, stderr]).toEqual([4, expect.stringMatching(/Its aspects: .*team/)])
    await out(['entities', 'split', 'Atlas', '--into', 'Atlas Crew', '--aspect', 'team'])
    expect(await out(['entities', 'claims', 'Atlas Crew'])).toContain('member')
    const merge = ['entities', 'merge', 'Atlas', 'Atlas Crew']
    expect(await out([...merge, '--dry-run'])).toContain('nothing was changed')
    expect(await out(['entities', 'claims', 'Atlas Crew'])).toContain('member')
    await out(merge)
    expect(await out(merge)).toContain('Atlas Crew is already a name of Atlas')
    expect(await out(['entities', 'show', 'Atlas Crew'])).toMatch(/name +Atlas\n/)
    await out(['entities', 'rename', 'PostgreSQL', 'Postgres Server'])
    const rename = ['entities', 'rename', 'Postgres Server', 'Postgres Server']
    expect(await out(rename)).toContain('Postgres Server is already the name')
    const archive = ['entities', 'archive', 'Postgres Server', '--reason', 'moved']
    expect(await out([...archive, '--dry-run'])).toContain('nothing was changed')
    await out(archive)
    expect((await ada.run(['entities', 'show', 'Postgres Server'])).code).toBe(4)
    expect((await ada.run(['entities', 'archive', 'Atlas'])).code).toBe(2)
    expect((await ada.run(['entities', 'merge', 'Atlas'])).code).toBe(2)

    await propose('create_entity', { name: 'Lyra', entity_type: 'tool' }).then((id) =>
      out(['ontology', 'apply', id]),
    )
    await propose('create_entity', { name: 'Vega', entity_type: 'person' }).then((id) =>
      out(['ontology', 'apply', id]),
    )
    expect((await ada.run(['entities', 'merge', 'Lyra', 'Vega'])).stderr).toContain('force')
    expect(await out(['entities', 'merge', 'Lyra', 'Vega', '--force'])).toContain('Merged into')
  })
})

describe('ontology', () => {
  test('propose, show, apply and undo, by the prefix of an id', async () => {
    const payload = { entity: 'Borealis', aspect: 'runtime', claim_key: 'language', value: 'Zig' }
    const args = ['ontology', 'propose', 'set_claim_value', '--payload', '-', '--confidence', '0.9']
    const { id } = await ada.json(args, JSON.stringify(payload))
    const prefix = String(id).slice(0, 35)

    expect(await out(['ontology', 'proposals', '--status', 'pending'])).toContain('value=Zig')
    expect(await out(['ontology', 'show', prefix])).toMatch(/operation +set_claim_value/)
    expect(await out(['ontology', 'apply', prefix, '--dry-run'])).toMatch(
      /value|content=Zig[\s\S]*nothing was changed/,
    )
    expect((await ada.run(['entities', 'show', 'Borealis'])).code).toBe(4)
    expect(await out(['ontology', 'apply', prefix])).toContain('Applied set_claim_value')
    expect(await out(['entities', 'tree', 'Borealis'])).toContain('Zig')
    const dryUndo = await out(['ontology', 'undo', prefix, '--dry-run'])
    expect(dryUndo).toContain('nothing was changed')
    expect(dryUndo).toMatch(/delete +entityAttributes.*content=/)
    expect(dryUndo).not.toContain('undefined')
    expect(await out(['entities', 'tree', 'Borealis'])).toContain('Zig')
    expect(await out(['ontology', 'undo', prefix, '--reason', 'wrong'])).toContain(
      'Undone: 1 operation',
    )
    expect((await ada.run(['entities', 'show', 'Borealis'])).code).toBe(4)
    expect((await ada.run(['ontology', 'undo', prefix])).code).toBe(6)
  })

  test('apply of several reports each; --batch undoes a batch', async () => {
    const ids = [
      await propose('create_entity', { name: 'Cygnus' }),
      await propose('archive_entity', { entity: 'Nowhere' }),
    ]
    const { code, stdout } = await ada.run(['ontology', 'apply', ...ids, '--json'])
    expect(code).toBe(6)
    const { applied, results } = JSON.parse(stdout)
    expect(applied).toBe(1)
    expect(results[1]).toMatchObject({ id: ids[1], code: 'not_found' })
    const { batchId } = await ada
      .json(['ontology', 'show', String(ids[0])])
      .then(({ proposal }) => proposal as { batchId: string })
    await out(['ontology', 'undo', batchId, '--batch'])
    expect((await ada.run(['entities', 'show', 'Cygnus'])).code).toBe(4)
  })

  test('reject needs a reason', async () => {
    const id = await propose('create_entity', { name: 'Draco' })
    expect((await ada.run(['ontology', 'reject', id])).code).toBe(2)
    await out(['ontology', 'reject', id, '--reason', 'no'])
    expect((await ada.run(['ontology', 'apply', id])).code).toBe(6)
  })

  test('conflicts, duplicates and hygiene', async () => {
    const claim = { entity: 'Lyra', aspect: 'runtime', claim_key: 'language' }
    await propose('add_claim_value', { ...claim, value: 'Lyra uses Go' })
    await propose('add_claim_value', { ...claim, value: 'Lyra uses Perl' })
    expect(await out(['ontology', 'conflicts'])).toMatch(
      /Lyra \/ runtime \/ general \/ language\n[\s\S]*Lyra uses Perl[\s\S]*Lyra uses Go/,
    )
    for (const name of ['Node.js', 'Node JS'])
      await out([
        'ontology',
        'apply',
        await propose('create_entity', { name, entity_type: 'tool' }),
      ])
    expect(await out(['ontology', 'duplicates'])).toMatch(/Node/)
    expect(await ada.json(['ontology', 'duplicates', '--write'])).toMatchObject({ writtenCount: 1 })
    await out(['remember', 'Borrow the handbook of Node.js on Monday'])
    expect(await out(['ontology', 'hygiene'])).toMatch(/Node/)
    expect(await out(['ontology', 'hygiene'], '', empty)).toContain('The graph is clean.')
  })

  test('assert stores what somebody says, which assertions lists', async () => {
    await out(['entities', 'set', 'Hydra', 'runtime', 'language', 'C'])
    const assert = ['ontology', 'assert', 'Hydra']
    const memory = await ada.json(['remember', 'Maud finds the water snake slow'])
    const slow = [...assert, 'Hydra is slow', '--predicate', 'observed', '--speaker', 'Maud']
    expect(await out([...slow, '--memory', String(memory['id']).slice(0, 35)])).toContain('Hydra')
    await out([...assert, 'Hydra is fast', '--predicate', 'denies', '--quote', 'it is fast'])

    const listed = await out(['ontology', 'assertions', '--entity', 'hydra'])
    expect(listed).toMatch(/Hydra is fast[\s\S]*Hydra +observed +Hydra is slow +Maud/)
    const denied = await out(['ontology', 'assertions', '--predicate', 'denies'])
    expect(denied).not.toContain('Hydra is slow')
    expect(await out(['entities', 'claims', 'Hydra'])).not.toContain('slow')
    expect((await ada.run([...assert, 'No source'])).code).toBe(2)
    expect((await ada.run([...slow, '--predicate', 'sings', '--quote', 'x'])).code).toBe(2)
    const unknown = await ada.run(['ontology', 'assert', 'Nix', 'Nix is slow', '--quote', 'x'])
    expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('entities list')])
  })

  test('an unknown proposal exits with 4, invalid JSON with 2', async () => {
    const { code, stderr } = await ada.run(['ontology', 'show', '01234567'])
    expect([code, stderr]).toEqual([4, expect.stringContaining('reverie ontology proposals')])
    const json = ['ontology', 'propose', 'create_entity', '--payload']
    expect((await ada.run([...json, '{'])).code).toBe(2)
    expect((await ada.run([...json, '-'], '{')).code).toBe(2)
  })

  test('stored text cannot write to the terminal', async () => {
    await out(['entities', 'set', 'Orion', 'runtime', 'language', 'a\u001b[2Jb'])
    for (const args of [
      ['entities', 'tree', 'Orion'],
      ['entities', 'claims', 'Orion'],
      ['ontology', 'proposals'],
    ])
      expect(await out(args)).not.toContain('\u001b[2J')
  })
})
