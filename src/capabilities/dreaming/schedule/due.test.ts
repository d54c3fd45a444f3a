import { expect, test } from 'vitest'
import { decideDue, type Situation } from './due.ts'

const now = new Date('2026-05-01T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
const minuteMs = 60_000

const quiet: Situation = {
  state: {
    rulesFailures: 0,
    lastFailureAt: null,
    lastPassAt: ago(minuteMs),
    lastPassMode: null,
    scheduleMode: null,
  },
  backlogTokens: 0,
  freshAttention: 0,
  engine: 'rules',
  settings: {
    backfillOnFirstRun: true,
    maxInterval: 3_600_000,
    rules: { tokenThreshold: 4_000 },
    tokenThreshold: 100_000,
  },
  blockedBy: null,
  passesInLastHour: 0,
  now,
}
const state = (more: Partial<Situation['state']>) => ({ state: { ...quiet.state, ...more } })

test.each<[string, Partial<Situation>, boolean, string]>([
  ['nothing pending', {}, false, 'nothing is pending'],
  ['a block', { backlogTokens: 9_999, blockedBy: 'paused' }, false, 'paused'],
  ['a small backlog', { backlogTokens: 100 }, false, 'the backlog is below the threshold'],
  ['a full backlog', { backlogTokens: 4_000 }, true, 'the backlog has reached the threshold'],
  [
    'a model with a larger threshold',
    { backlogTokens: 4_000, engine: 'model' },
    false,
    'the backlog is below the threshold',
  ],
  ['the first run', { backlogTokens: 1, ...state({ lastPassAt: null }) }, true, 'the first run'],
  [
    'an old pass',
    { backlogTokens: 1, ...state({ lastPassAt: ago(3_600_000) }) },
    true,
    'the last pass is long ago',
  ],
  ['attention', { freshAttention: 1 }, true, 'attention is pending'],
  [
    'the limit of an hour',
    { backlogTokens: 9_999, passesInLastHour: 12 },
    false,
    'the hour has its limit of passes',
  ],
  [
    'a failure ten minutes ago',
    { backlogTokens: 9_999, ...state({ rulesFailures: 1, lastFailureAt: ago(9 * minuteMs) }) },
    false,
    'backoff after a failure',
  ],
  [
    'a failure that is over',
    { backlogTokens: 9_999, ...state({ rulesFailures: 1, lastFailureAt: ago(11 * minuteMs) }) },
    true,
    'the backlog has reached the threshold',
  ],
  [
    'five failures halt for a day',
    {
      backlogTokens: 9_999,
      ...state({ rulesFailures: 5, lastFailureAt: ago(23 * 60 * minuteMs) }),
    },
    false,
    'backoff after a failure',
  ],
])('%s', (_, situation, due, because) => {
  expect(decideDue({ ...quiet, ...situation })).toMatchObject({ due, because })
})

test('nothing pending needs no timer, and a small backlog waits for the longest interval', () => {
  expect(decideDue(quiet).nextCheckAt).toBeUndefined()
  const { nextCheckAt } = decideDue({ ...quiet, backlogTokens: 1 })
  expect(nextCheckAt?.toISOString()).toBe(new Date(now.getTime() + 59 * minuteMs).toISOString())
})

test('attention and content alternate, attention first', () => {
  const both = { ...quiet, backlogTokens: 1, freshAttention: 1 }
  expect(decideDue(both).mode).toBe('incremental-hygiene')
  const after = { ...both, ...state({ scheduleMode: 'incremental-hygiene' }) }
  expect(decideDue(after).mode).toBe('incremental-content')
  expect(decideDue({ ...quiet, backlogTokens: 1 }).mode).toBe('incremental-content')
})
