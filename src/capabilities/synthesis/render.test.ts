import { expect, test } from 'vitest'
import type { Memory } from '../memory/index.ts'
import { type LedgerEntry, type Node, type Projection, render, type Thread } from './render.ts'

const headings = [
  'Global Head (Tier 1)',
  'Thread Heads (Tier 2)',
  'Session Ledger (Last 30 Days)',
  'Open Threads',
  'Durable Notes & Constraints',
  'Temporal Index',
]
const headingsOf = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
const emptyProjection: Projection = {
  durable: [],
  constraints: [],
  threads: [],
  nodes: [],
  ledger: [],
}
const budget = 18_976

const entry = (number: number): LedgerEntry => ({
  capturedAt: `2026-01-${String(1 + (number % 28)).padStart(2, '0')}T10:00:00.000Z`,
  sessionKey: `s${number}`,
  sessionToken: `t${number}`,
  project: '/p',
  memorySentence: `In session ${number} the barn was painted red on both sides of the door.`,
  memorySentenceQuality: 'ok',
  sourceKind: 'transcript',
  sourcePath: `transcripts/codex/transcript.jsonl#t${number}`,
})
const node = (number: number): Node => ({
  id: `n${number}`,
  kind: 'session',
  sourceType: 'transcript',
  depth: 0,
  harness: 'codex',
  sessionKey: `s${number}`,
  project: `/p${number % 3}`,
  sourceRef: null,
  latestAt: '2026-01-02T00:00:00.000Z',
  content: '## not a heading\n<!-- nor a mark -->',
})
const thread = (number: number): Thread => ({
  threadKey: `project:/p${number}#source:transcript#harness:codex`,
  sample: 'Paint\n# the barn',
  sourceType: 'transcript',
  nodeId: `n${number}`,
  latestAt: '2026-01-02T00:00:00.000Z',
})
const repeat = <Item>(count: number, make: (number: number) => Item) =>
  Array.from({ length: count }, (_, number) => make(number))

test('renders all sections in order, also empty ones', () => {
  const empty = render(emptyProjection, budget)
  const full = render(
    {
      ...emptyProjection,
      threads: repeat(3, thread),
      nodes: repeat(20, node),
      ledger: repeat(9, entry),
    },
    budget,
  )

  expect(headingsOf(empty.text)).toEqual(headings)
  expect(headingsOf(full.text)).toEqual(headings)
  expect(full.text.endsWith(`${full.indexBlock}\n`)).toBe(true)
  expect(full.indexBlock.match(/^- id=/gm)).toHaveLength(20)
  expect(full.text).toContain('### project:/p0#source:transcript#harness:codex\nPaint # the barn\n')
})

test('an empty section has one line', () => {
  const { text } = render(emptyProjection, budget)

  expect([...text.matchAll(/^## .*\n\n(.*)$/gm)].map(([, line]) => line)).toEqual([
    'No durable memories yet.',
    'No threads yet.',
    'No sessions yet.',
    'No threads yet.',
    'No constraints yet.',
    'No sessions yet.',
  ])
  expect(text.startsWith('# Working Memory Summary\n')).toBe(true)
})

test('formats each entry, the newest day first', () => {
  const file = (kind: string) => `memory/t1--${kind}.md`
  const files = ['manifest', 'compaction'].map((kind) => ({
    ...entry(1),
    sourceKind: kind,
    sourcePath: file(kind),
    memorySentence: null,
  }))
  const { text } = render(
    {
      durable: [{ type: 'fact', content: 'The barn\nis red.' } as Memory],
      constraints: [{ type: 'decision', content: 'Never in May.' } as Memory],
      threads: repeat(9, thread),
      nodes: [
        { ...node(1), sourceRef: 's1' },
        { ...node(2), sessionKey: null, project: null },
      ],
      ledger: [entry(0), entry(1), ...files],
    },
    budget,
  )

  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '- [fact] The barn is red.',
      '- [decision] Never in May.',
      '### 2026-01-02',
      'latest=2026-01-02T00:00:00.000Z source=transcript node=n8',
      `- 10:00 | s1 | /p | ${entry(1).memorySentence} [[${file('compaction')}|compaction]] [[${file('manifest')}|manifest]] [[${entry(1).sourcePath}|transcript]]`,
      '- project:/p7#source:transcript#harness:codex',
      '- id=n1 kind=session source=transcript depth=0 session=s1 project=/p1 ref=s1 latest=2026-01-02T00:00:00.000Z',
      '- id=n2 kind=session source=transcript depth=0 session=- project=- ref=- latest=2026-01-02T00:00:00.000Z',
      '  not a heading &lt;!-- nor a mark -->',
    ]),
  )
  expect(text.match(/^- project:/gm)).toHaveLength(8)
  expect(text.indexOf('### 2026-01-02')).toBeLessThan(text.indexOf('### 2026-01-01'))
})

test.each([budget, 2_000])('is deterministic and at most %d characters long', (maxLength) => {
  const memory = { type: 'fact', content: 'The barn is red. '.repeat(40) } as Memory
  const long = (number: number) => ({ ...thread(number), sample: 'word '.repeat(90) })
  const rows: Projection = {
    durable: repeat(8, () => memory),
    constraints: repeat(8, () => memory),
    threads: repeat(12, long),
    nodes: repeat(20, (number) => ({ ...node(number), sourceRef: 'x'.repeat(600) })),
    ledger: repeat(200, entry),
  }

  const first = render(rows, maxLength)

  expect(render(structuredClone(rows), maxLength).text).toBe(first.text)
  expect(first.text.length).toBeLessThanOrEqual(maxLength)
  expect(headingsOf(first.text)).toEqual(headings)
  expect(first.text).toContain('_Further sessions are left out for length._')
})

test('prefers a quoted sentence, then the latest turn count', () => {
  const entryOf = (sourceKind: string, sentence: string, quality: 'ok' | 'fallback') => ({
    ...entry(1),
    sourceKind,
    sourcePath: `memory/t1--${sourceKind}`,
    memorySentence: sentence,
    memorySentenceQuality: quality,
  })
  const sentenceOf = (...ledger: readonly LedgerEntry[]) =>
    /\| ([^|]*) \[\[/.exec(render({ ...emptyProjection, ledger }, budget).text)?.[1]
  const early = entryOf('compaction', 'Captured with one turn.', 'fallback')

  expect(sentenceOf(early, entryOf('transcript', 'Captured with 9 turns.', 'fallback'))).toBe(
    'Captured with 9 turns.',
  )
  expect(sentenceOf(early, entryOf('transcript', 'We painted it.', 'ok'))).toBe('We painted it.')
  expect(sentenceOf({ ...early, memorySentenceQuality: 'ok' }, entry(1))).toBe(
    'Captured with one turn.',
  )
  expect(sentenceOf(early)).toBe('Captured with one turn.')
})
