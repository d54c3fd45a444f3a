import { expect, test } from 'vitest'
import type { Memory } from '../../memory/index.ts'
import { chooseConstraints, chooseMemories, isOfProject } from './choose-memories.ts'
import type { ScoredMemory } from './select-memories.ts'
import { ShownFacts } from './shown-facts.ts'

const row = (id: string, content: string, more: object = {}): ScoredMemory => ({
  memory: {
    id,
    content,
    tags: [],
    type: 'fact',
    project: null,
    createdAt: '2026-01-02',
    ...more,
  } as unknown as Memory,
  score: 1,
  source: 'standing',
})
const rowsOf = (name: string, count: number, length: number) =>
  Array.from({ length: count }, (_, number) =>
    row(`${name}${number}`, `${name}${number} `.repeat(length / (name.length + 2)).trim()),
  )
const budget = { maxRows: 50, maxCharacters: 2000, maxMemoryCharacters: 500 }
const idsOf = (rows: readonly ScoredMemory[]) => rows.map(({ memory }) => memory.id)

test('predicted memories take at most ten rows and 60 % of the characters', () => {
  const candidates = rowsOf('new', 60, 100)
  const count = (predicted: readonly ScoredMemory[], limits = budget) => {
    const rows = chooseMemories({ candidates, predicted }, new ShownFacts(), limits)
    const size = rows.reduce((sum, { memory }) => sum + memory.content.length, 0)
    expect(size).toBeLessThanOrEqual(limits.maxCharacters)
    return rows.filter(({ memory }) => memory.id.startsWith('old')).length
  }

  expect(count(rowsOf('old', 30, 50))).toBe(10)
  expect(count(rowsOf('old', 30, 200))).toBe(5)
  expect(count(rowsOf('old', 30, 50), { ...budget, maxRows: 4 })).toBe(2)
  expect(count([], budget)).toBe(0)
})

test('never exceeds the rows, and skips a memory that does not fit', () => {
  const candidates = [row('long', 'x'.repeat(400)), row('short', 'The gate is open.')]
  const choose = (more: object) =>
    idsOf(chooseMemories({ candidates, predicted: [] }, new ShownFacts(), { ...budget, ...more }))

  expect(choose({ maxCharacters: 200 })).toEqual(['short'])
  expect(choose({ maxRows: 1 })).toEqual(['long'])
  expect(choose({ maxRows: 0 })).toEqual([])
})

test.each([
  ['The release runs every Tuesday at noon.', 'the release runs every Tuesday at noon'],
  ['Der Stall wird im Mai rot gestrichen.', 'Im Mai wird der Stall rot gestrichen!'],
])('%j is chosen once', (content, again) => {
  const candidates = [row('one', content), row('two', again)]

  expect(idsOf(chooseMemories({ candidates, predicted: [] }, new ShownFacts(), budget))).toEqual([
    'one',
  ])
})

test('constraints are listed once, as many as fit', () => {
  const facts = new ShownFacts()
  const many = Array.from({ length: 300 }, (_, number) => `Never paint barn ${number}.`)
  const { text } = chooseConstraints(['Mind the hens.', 'Mind the hens.', ...many], [], facts)

  expect(text.split('Mind the hens.')).toHaveLength(2)
  expect(text.length).toBeGreaterThan(950)
  expect(text.length).toBeLessThanOrEqual(1000)
  expect(chooseConstraints([], [], facts)).toEqual({ text: '', rows: [] })
  expect(facts.repeats('mind the hens')).toBe(true)
})

test('rules and summaries of other projects are not of the project', () => {
  const isHere = (more: object) => isOfProject(row('one', 'text', more), '/p')

  expect(isHere({ project: '/q' })).toBe(true)
  for (const type of ['rule', 'constraint', 'session_summary']) {
    expect(isHere({ project: '/q', type })).toBe(false)
    expect(isHere({ project: '/p', type })).toBe(true)
    expect(isHere({ project: null, type })).toBe(true)
  }
})
