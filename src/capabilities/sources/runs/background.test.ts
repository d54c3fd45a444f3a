import { expect, test } from 'vitest'
import { createLog } from '../../../kernel/log/log.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { sourcesSettings } from '../config.ts'
import type { SourceEntry } from '../source.ts'
import { createBackgroundRuns, isDue } from './background.ts'
import { createJob, type IndexJob } from './job.ts'

const endedAt = new Date('2026-01-01T00:00:00.000Z')
const minutesLater = (minutes: number) => new Date(endedAt.getTime() + minutes * 60_000)

const source = (change: Partial<SourceEntry> = {}): SourceEntry => ({
  id: 'web:1',
  kind: 'web',
  name: 'Guide',
  root: 'https://site.example/',
  enabled: true,
  mode: 'read-only',
  createdAt: '',
  updatedAt: '',
  excludeGlobs: [],
  generation: 'g',
  providerSettings: { agentId: 'ada' },
  ...change,
})

interface Case {
  readonly job: Partial<IndexJob>
  readonly minutes: number
  readonly failures?: number
  readonly source?: Partial<SourceEntry>
  readonly refreshMinutes?: number
}

function isDueIn({ job, minutes, failures = 0, source: change, refreshMinutes = 60 }: Case) {
  const last = { ...createJob(source(), endedAt), finishedAt: endedAt.toISOString(), ...job }
  const failed = { ...last, status: 'failed' } as const
  const history = [
    ...Array.from({ length: failures }, () => failed),
    { ...last, status: 'complete' as const },
  ]
  const scheduler = { find: () => last, history: () => history }
  return isDue(source(change), { scheduler, refreshMinutes, now: minutesLater(minutes) })
}

test.each<[string, boolean, Case]>([
  ['after the interval', true, { job: { status: 'complete' }, minutes: 60 }],
  ['before the interval', false, { job: { status: 'complete' }, minutes: 59 }],
  ['while it runs', false, { job: { status: 'running' }, minutes: 999 }],
  ['after two failures, later', false, { job: { status: 'failed' }, failures: 2, minutes: 239 }],
  ['after two failures, at last', true, { job: { status: 'failed' }, failures: 2, minutes: 240 }],
  [
    'after many failures, at most 32 times later',
    true,
    { job: { status: 'failed' }, failures: 20, minutes: 32 * 60 },
  ],
  ['after a refused token', false, { job: { status: 'failed', isFinal: true }, minutes: 9_999 }],
  [
    'at the end of a limit',
    true,
    { job: { status: 'paused', retryAt: minutesLater(5).toISOString() }, minutes: 5 },
  ],
  [
    'before the end of a limit',
    false,
    { job: { status: 'paused', retryAt: minutesLater(5).toISOString() }, minutes: 4 },
  ],
  [
    'while no provider makes vectors',
    true,
    { job: { status: 'paused', pauseReason: 'provider_unavailable' }, minutes: 0 },
  ],
  [
    'paused by the user',
    false,
    { job: { status: 'paused', pauseReason: 'paused' }, source: { enabled: false }, minutes: 999 },
  ],
  [
    'without an interval',
    false,
    { job: { status: 'complete' }, refreshMinutes: 0, minutes: 9_999 },
  ],
  [
    'of a vault, whose watcher starts runs',
    false,
    { job: { status: 'complete' }, source: { kind: 'notes-vault' }, minutes: 9_999 },
  ],
])('a run is due %s: %s', (_when, isExpected, situation) => {
  expect(isDueIn(situation)).toBe(isExpected)
})

test('imported and disabled sources do not delay the first runs of others', async () => {
  const sources = [
    ...Array.from({ length: 100 }, (_, at) => source({ id: `import:${at}`, kind: 'import' })),
    source({ id: 'web:off', enabled: false }),
    source({ id: 'web:1' }),
    source({ id: 'web:2' }),
  ]
  const steps: (string | number)[] = []
  const ended = Promise.withResolvers<void>()
  const background = createBackgroundRuns({
    host: {
      ...fixedHost(),
      sleep: async (ms) => {
        steps.push(ms)
        if (steps.at(-2) === 'web:2') ended.resolve()
      },
    },
    log: createLog('silent'),
    config: () => sourcesSettings.schema.parse({}),
    registry: {
      list: async () => sources,
      find: async (id) => sources.find((one) => one.id === id),
    },
    scheduler: {
      enqueue: (one) => {
        steps.push(one.id)
        return createJob(one, endedAt)
      },
      settled: async () => {},
      find: () => undefined,
      history: () => [],
    },
    deletion: { resume: async () => {}, isDeleted: async () => false },
  })
  await background.start()
  await ended.promise
  background.stop()
  expect(steps).toEqual([5_000, 'web:1', 1_000, 'web:2', 1_000])
})
