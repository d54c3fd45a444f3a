import { expect, test } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { type Summary, toThreadHead } from './summary.ts'

import { onEachEngine, transcriptsFor } from './transcripts.fixture.ts'

const node = (more: Partial<Summary> = {}): Summary => ({
  agentId: 'ada',
  id: 'n1',
  project: '/p',
  depth: 0,
  kind: 'session',
  tokenCount: 3,
  content: toCleanText('We painted the barn.'),
  sessionKey: 's1',
  harness: 'codex',
  sourceType: 'transcript',
  sourceRef: 's1',
  metaJson: null,
  earliestAt: '2026-01-02T03:00:00.000Z',
  latestAt: '2026-01-02T03:04:05.000Z',
  createdAt: '2026-01-02T03:04:05.000Z',
  ...more,
})

test.each<[string, Partial<Summary>, string]>([
  ['all parts', {}, 'project:/p#source:transcript#harness:codex'],
  ['no project', { project: null }, 'source:transcript#harness:codex'],
  ['no harness', { harness: null, sourceType: 'compaction' }, 'project:/p#source:compaction'],
  [
    'a long name',
    { project: 'p'.repeat(300), harness: null },
    `project:${'p'.repeat(200)}#source:transcript`,
  ],
])('builds the thread key with %s', (_, more, threadKey) => {
  expect(toThreadHead(node(more)).threadKey).toBe(threadKey)
})

test('samples the beginning of a node without splitting a character', () => {
  const { sample } = toThreadHead(node({ content: toCleanText(`${'x'.repeat(239)}🪿 and more`) }))

  expect(sample).toBe('x'.repeat(239))
})

onEachEngine('the newest node is the head in any insertion order', async (db) => {
  const { transcripts } = transcriptsFor(db)
  const heads = async () =>
    (await transcripts.listThreadHeads(db, { agentId: 'ada' }, 10)).map(({ nodeId }) => nodeId)
  const keep = (id: string, minute: number, more: Partial<Summary> = {}) =>
    transcripts.saveSummary(db, node({ id, latestAt: `2026-01-02T03:0${minute}:00.000Z`, ...more }))

  await keep('second', 2)
  await keep('first', 1)
  expect(await heads()).toEqual(['second'])
  await keep('third', 3)
  expect(await heads()).toEqual(['third'])
  await keep('same time', 3)
  expect(await heads()).toEqual(['same time'])
})

onEachEngine('lists threads by agent and project, the latest first', async (db) => {
  const { transcripts } = transcriptsFor(db)
  const list = async (project?: string, limit = 10) =>
    (await transcripts.listThreadHeads(db, { agentId: 'ada', project }, limit)).map(
      ({ threadKey }) => threadKey,
    )
  const keep = (id: string, more: Partial<Summary>) =>
    transcripts.saveSummary(db, node({ id, ...more }))
  await keep('a', {})
  await keep('b', { project: '/q', latestAt: '2026-01-03T00:00:00.000Z' })
  await keep('c', { sourceType: 'compaction', latestAt: '2026-01-02T04:00:00.000Z' })
  await keep('d', { agentId: 'bob', latestAt: '2026-01-09T00:00:00.000Z' })

  const ofP = [
    'project:/p#source:compaction#harness:codex',
    'project:/p#source:transcript#harness:codex',
  ]
  expect(await list()).toEqual(['project:/q#source:transcript#harness:codex', ...ofP])
  expect(await list('/p')).toEqual(ofP)
  expect(await list(undefined, 1)).toHaveLength(1)
})
