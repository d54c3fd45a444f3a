import { expect, test } from 'vitest'
import type { StagedOperation } from '../pass.ts'
import { packFacts, packWindow, unpackFacts, unpackWindow } from './packed.ts'

test('a window is stored without the names of its fields; older rows are read too', () => {
  const sources = [
    { sourceKind: 'memory', sourceId: 'one', chars: 12 },
    { sourceKind: 'artifact', sourceId: 'garden/a b.md', chars: 0 },
  ] as const
  const window = { cursor: '7', sources }
  const packed = packWindow(window)

  expect(packed).toBe('{"cursor":"7","memory":["12 one"],"artifact":["0 garden/a b.md"]}')
  expect(unpackWindow(packed)).toEqual(window)
  expect(unpackWindow(JSON.stringify(window))).toEqual(window)
})

test('facts of a planned operation refer to its quotes; an applied one has none', () => {
  const fact = {
    sourceKind: 'memory',
    sourceId: 'one',
    fingerprint: 'print',
    family: 'claim',
    subject: 'maud reyes',
    slot: 'location/lives_in',
    value: 'hash',
    start: 0,
    length: 5,
    session: null,
    assertedAt: '2026-01-01T00:00:00.000Z',
    ownWord: true,
  } as const
  const facts = [fact, { ...fact, sourceId: 'uncited' }]
  const evidence = [{ sourceKind: 'memory', sourceId: 'one', quote: 'words' }] as const
  const operation = { facts, evidence, fingerprint: 'print', state: 'planned' }
  const packed = packFacts(operation as unknown as StagedOperation)

  expect(packed).not.toContain('"one"')
  expect(unpackFacts(packed, { evidence, fingerprint: 'print' })).toEqual(facts)
  expect(packFacts({ ...operation, state: 'applied' } as unknown as StagedOperation)).toBe('[]')
})
