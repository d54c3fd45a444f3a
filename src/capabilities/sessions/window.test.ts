import { expect, test } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { addToWindow, openWindow, toDigest, type Window } from './window.ts'

const emptyWindow = openWindow({ harness: 'codex', project: '/barn' }, '2026-01-02T03:00:00.000Z')
const now = new Date('2026-01-02T03:12:00.000Z')
const addAll = (count: number, toInput: (number: number) => Parameters<typeof addToWindow>[1]) =>
  Array.from({ length: count }, (_, number) => toInput(number)).reduce(
    (window: Window, input) => addToWindow(window, input),
    emptyWindow,
  )

test('renders the activity of a session', () => {
  const window = [
    { prompt: toCleanText('paint\nthe barn'), terms: toCleanText('paint barn') },
    { remembered: toCleanText(`The barn ${'x'.repeat(200)}`) },
    { prompt: toCleanText('now the gate'), terms: toCleanText('gate') },
  ].reduce((window: Window, input) => addToWindow(window, input), emptyWindow)

  expect(
    toDigest(window, { trigger: 'periodic', now, context: 'about paint' }).split('\n'),
  ).toEqual([
    '## Session Checkpoint',
    'Project: /barn',
    'Prompts: 2, in 12 minutes',
    '### Session Context',
    'about paint',
    '### Recent Prompts',
    '- paint the barn',
    '- now the gate',
    '### Memory Activity',
    'Queries: paint barn; gate',
    `- Remembered: The barn ${'x'.repeat(111)}`,
  ])
})

test('marks the digest of a compaction, and omits empty sections', () => {
  const withoutProject = { ...emptyWindow, project: null }

  expect(toDigest(withoutProject, { trigger: 'pre_compaction', now }).split('\n')).toEqual([
    '## Pre-Compaction Checkpoint',
    'Prompts: 0, in 12 minutes',
  ])
})

test('retains the newest texts and drops a repeated one', () => {
  const { queries } = addAll(25, (number) => ({ terms: toCleanText(`q${number}`) }))
  const { remembers } = addAll(15, (number) => ({ remembered: toCleanText(`r${number}`) }))
  const { snippets, promptCount } = addAll(15, () => ({ prompt: toCleanText('again') }))

  expect([queries.length, queries[0], queries.at(-1)]).toEqual([20, 'q5', 'q24'])
  expect([remembers.length, remembers[0], remembers.at(-1)]).toEqual([10, 'r5', 'r14'])
  expect([snippets, promptCount]).toEqual([['again'], 15])
})
