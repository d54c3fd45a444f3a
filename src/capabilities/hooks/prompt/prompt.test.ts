import { expect, test } from 'vitest'
import type { Attribute, NamedEntity } from '../needs.ts'
import { cleanPrompt, isLowSignal, normalizePrompt } from './clean-prompt.ts'
import { gate, renderContext } from './gate.ts'
import { chooseEntities, listPhrases } from './match-entities.ts'

const entity = (more: Partial<NamedEntity> = {}): NamedEntity => ({
  ...{ id: 'e1', name: 'Orchard Gate', phrase: 'orchard gate', isAlias: false },
  ...{ mentions: 3, pinned: false, ...more },
})
const attribute = (more: Partial<Attribute> = {}): Attribute => ({
  ...{ id: 'a1', kind: 'fact', aspect: 'upkeep', group: 'parts', claimKey: 'hinge' },
  ...{
    content: 'needs a new hinge',
    importance: 0.8,
    confidence: 0.9,
    source: 'memory:m1',
    ...more,
  },
})

test.each([
  ['<svc-memory-context>\nold\n</svc-memory-context>\nhello there', 'hello there'],
  ['ask <system-reminder>never closed', 'ask'],
  [undefined, ''],
])('of %j only what was said is left', (written, left) => {
  expect(cleanPrompt(written)).toBe(left)
})

test.each([
  ['Thanks!', ['thanks'], true],
  ['sounds good', ['sounds', 'good'], true],
  ['?', [], true],
  ['the gate’s hinge', ['gate', 'hinge'], false],
])('%j is worth looking up: not %j', (written, terms, low) => {
  expect(isLowSignal(normalizePrompt(written), terms)).toBe(low)
})

test('names are looked for as whole phrases, with or without a possessive', () => {
  const phrases = listPhrases(normalizePrompt('Fix the Orchard-Gate, Jonas’s way: mauds too'))

  expect(phrases).toEqual(expect.arrayContaining(['orchard gate', 'jonas', 'maud']))
  expect(phrases).not.toContain('rchard')
})

test.each<[string, NamedEntity[], string[]]>([
  ['one that is named', [entity()], ['e1']],
  ['none by a word that means itself', [entity({ phrase: 'project' })], []],
  ['one pinned under such a word', [entity({ phrase: 'project', pinned: true })], ['e1']],
  ['none where two are meant alike', [entity(), entity({ id: 'e2' })], []],
  ['the stronger of two of one name', [entity({ mentions: 90 }), entity({ id: 'e2' })], ['e1']],
  ['the longer of two that overlap', [entity(), entity({ id: 'e2', phrase: 'orchard' })], ['e1']],
  [
    'both of two that only begin alike',
    [entity(), entity({ id: 'e2', phrase: 'orch' })],
    ['e1', 'e2'],
  ],
])('a prompt speaks of %s', (_, found, ids) => {
  expect(chooseEntities(found).map(({ id }) => id)).toEqual(ids)
})

const terms = ['hinge', 'orchard']

test('only what the other words ask for passes the gate, by its score', () => {
  const asked = { terms, minScore: 0.8 }

  expect(gate(entity(), [attribute()], asked)).toMatchObject([{ aspect: 'upkeep' }])
  expect(gate(entity(), [attribute()], { ...asked, terms: ['orchard'] })).toEqual([])
  expect(gate(entity(), [attribute({ aspect: 'General' })], asked)).toEqual([])
  const weak = attribute({ claimKey: 'state', importance: 0.1, confidence: 0.1 })
  expect(gate(entity(), [weak], asked)).toEqual([])
})

test('constraints come first, and a line that does not fit makes room for a smaller one', () => {
  const lines = gate(
    entity(),
    [attribute({ content: 'x '.repeat(400) }), attribute({ kind: 'constraint' }), attribute()],
    { terms, minScore: 0.8 },
  )

  const { text, count } = renderContext(lines, { maxInjectChars: 500, recallLimit: 10 })

  expect(count).toBe(2)
  expect(text.split('\n').slice(2)).toEqual([
    '- [constraint] Orchard Gate / upkeep / parts / hinge: needs a new hinge (memory:m1)',
    '- [fact] Orchard Gate / upkeep / parts / hinge: needs a new hinge (memory:m1)',
  ])
  for (const bounds of [
    { maxInjectChars: 10, recallLimit: 10 },
    { maxInjectChars: 500, recallLimit: 0 },
  ])
    expect(renderContext(lines, bounds)).toEqual({ text: '', count: 0 })
})
