import { expect, test } from 'vitest'
import { toQueueHealth } from './health.ts'

const quiet = {
  pending: 50,
  leased: 0,
  completed: 0,
  failed: 0,
  dead: 0,
  cancelled: 0,
  oldestAgeSec: 300,
  oldestDeadAgeSec: 0,
  deadRate: 0.01,
  leaseAnomalies: 0,
  lastError: null,
}
const late = { pending: 51, oldestAgeSec: 301, deadRate: 0.02, leaseAnomalies: 1 }

test.each([
  [{}, 1, []],
  [{ pending: 51 }, 0.7, ['51 jobs wait']],
  [{ oldestAgeSec: 301 }, 0.8, ['a job has waited for 301 s']],
  [{ deadRate: 0.02 }, 0.7, ["2 % of the last hour's jobs died"]],
  [{ leaseAnomalies: 1 }, 0.8, ['1 jobs have run for more than ten minutes']],
  [late, 0, [expect.anything(), expect.anything(), expect.anything(), expect.anything()]],
])('%j scores %d', (counts, score, reasons) => {
  const health = toQueueHealth({ ...quiet, ...counts }, { slots: 4, running: 0 })

  expect(health.reasons).toEqual(reasons)
  expect(health.score).toBeCloseTo(score)
})
