import { expect, test } from 'vitest'
import type { DomainCheck, DomainFinding } from '../../kernel/capability/domain.ts'
import { createLog } from '../../kernel/log/log.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { createReport } from './report.ts'
import { toScore, toStatus } from './score.ts'

const finding = (penalty: number): DomainFinding => ({
  code: 'queue_depth',
  penalty,
  detail: 'many jobs wait',
  fix: { command: 'reverie pipeline nudge', route: null },
})
const domain = (name: string, weight: number | null, ...penalties: number[]): DomainCheck => ({
  domain: name,
  weight,
  check: async () => ({ fields: { depth: 60 }, findings: penalties.map(finding) }),
})

function reportOf(...domains: DomainCheck[]) {
  const host = manualClockHost()
  const log = createLog('silent')
  return { host, read: createReport({ host, log, domains: sealedPoint(...domains) }) }
}

test.each([
  [[], 1, 'healthy'],
  [[0.2], 0.8, 'healthy'],
  [[0.3], 0.7, 'degraded'],
  [[0.3, 0.2], 0.5, 'degraded'],
  [[0.5, 0.3], 0.2, 'unhealthy'],
  [[0.5, 0.5, 0.5], 0, 'unhealthy'],
])('penalties of %j give the score %d: %s', (penalties, score, status) => {
  expect(toScore(penalties.map(finding))).toBe(score)
  expect(toStatus(score)).toBe(status)
})

test('the composite is the weighted sum, and its status that of the worst domain', async () => {
  const { read } = reportOf(
    domain('queue', 0.23, 0.3, 0.2),
    domain('storage', 0.1),
    domain('index', 0.15, 0.5),
    domain('index', 0.15, 0.3),
    domain('mutation', 0.08),
    domain('duplicate', 0.04, 0.3),
  )
  const { domains, composite } = await read()

  const sum = 0.23 * 0.5 + 0.1 + 0.15 * 0.2 + 0.08 + 0.04 * 0.7 + 0.2 + 0.05 + 0.1 + 0.05
  expect(composite.score).toBeCloseTo(sum, 6)
  expect(composite.status).toBe('unhealthy')
  expect(domains.get('queue')).toMatchObject({ depth: 60, score: 0.5, status: 'degraded' })
  expect(domains.get('index')).toMatchObject({ score: 0.2, reasons: [{}, {}] })
  expect(domains.get('connector')).toMatchObject({ score: 1, configured: false })
})

test('a domain that hangs does not hold the report, and its last figures are stale', async () => {
  let hangs = false
  let calls = 0
  const slow: DomainCheck = {
    domain: 'queue',
    weight: 0.23,
    check: () => {
      calls += 1
      return hangs ? new Promise(() => {}) : Promise.resolve({ fields: { depth: 1 }, findings: [] })
    },
  }
  const { host, read } = reportOf(slow)
  await read()
  hangs = true
  for (let round = 0; round < 2; round++) {
    host.advance(5_000)
    const late = read()
    await expect.poll(() => host.sleeps()).toEqual([2_000])
    host.advance(2_000)

    expect((await late).domains.get('queue')).toMatchObject({ depth: 1, score: 1, stale: true })
  }
  // The second report joined the check of the first.
  expect(calls).toBe(2)
})

test('a domain that fails has half a score until it answers, and names the command', async () => {
  const { read } = reportOf({
    domain: 'queue',
    weight: 0.23,
    check: () => Promise.reject(new Error('no table')),
  })

  expect((await read()).domains.get('queue')).toMatchObject({
    score: 0.5,
    stale: true,
    reasons: [{ code: 'timed_out', fix: { command: 'reverie logs --level warn' } }],
  })
})

test('a report is cached for five seconds', async () => {
  const { host, read } = reportOf()
  const first = await read()
  host.advance(4_999)
  expect(await read()).toBe(first)
  host.advance(1)

  expect(await read()).not.toBe(first)
})
