import { expect, test } from 'vitest'
import type { StagedOperation } from '../pass.ts'
import {
  packEvidence,
  packFacts,
  packWindow,
  unpackEvidence,
  unpackFacts,
  unpackWindow,
} from './packed.ts'

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

test('a window stores the bytes of a UUID, and any other id as it is', () => {
  const ids = ['0195f3a0-0000-7000-8000-00000000000f', '~/garden.md', `~${'a'.repeat(22)}`]
  const sources = ids.map((sourceId) => ({ sourceKind: 'memory' as const, sourceId, chars: 1 }))
  const packed = packWindow({ cursor: '1', sources })

  expect(packed).not.toContain('0195f3a0')
  expect(unpackWindow(packed).sources).toEqual(sources)
})

test('an older window has ids with one `~` in front', () => {
  const older = '{"cursor":"1","memory":["5 ~/garden.md","3 plain"]}'

  expect(unpackWindow(older).sources.map(({ sourceId }) => sourceId)).toEqual([
    '~/garden.md',
    'plain',
  ])
})

test('quotes are stored without the names of their fields; older rows are read too', () => {
  const id = '0195f3a0-0000-7000-8000-00000000000f'
  const evidence = [{ sourceKind: 'memory', sourceId: id, quote: 'Words.' }] as const
  const packed = packEvidence(evidence)

  expect(packed).not.toMatch(/sourceKind|0195f3a0/)
  expect(unpackEvidence(packed)).toEqual(evidence)
  expect(unpackEvidence(JSON.stringify(evidence))).toEqual(evidence)
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
  const { sourceKind: _, sourceId: __, fingerprint: ___, ...named } = fact
  const older = JSON.stringify([{ ...named, source: 0 }])
  expect(unpackFacts(older, { evidence, fingerprint: 'print' })).toEqual([fact])
  expect(unpackFacts(packed, { evidence, fingerprint: 'print' })).toEqual(facts)
  expect(packFacts({ ...operation, state: 'applied' } as unknown as StagedOperation)).toBe('[]')
})
