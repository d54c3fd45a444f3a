import type { DomainCheck } from '../../kernel/capability/domain.ts'
import { toCount } from '../../kernel/errors/to-count.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { RunNeeds } from './needs.ts'
import { pollMs } from './scheduler.ts'
import { countFailing } from './store/runs.ts'
import { countLate } from './store/tasks.ts'

/** A task that is due for longer than this is late. */
const lateMs = 4 * pollMs
const fix = { command: 'reverie task list', route: 'GET /api/tasks' }

interface HealthNeeds extends Pick<RunNeeds, 'db' | 'host'> {
  readonly counts: () => { readonly running: number; readonly pending: number }
}

/** Late tasks degrade the service; a task that fails is a finding of the diagnostics alone. */
export function tasksHealth({ counts, db, host }: HealthNeeds) {
  const read = async () => {
    const dueBefore = new Date(host.now().getTime() - lateMs).toISOString()
    const [late, failing] = await Promise.all([countLate(db, dueBefore), countFailing(db)])
    const reason =
      late > 0 && `${toCount(late, 'scheduled task')} ${late === 1 ? 'is' : 'are'} late`
    return { reason, failing, details: { ...counts(), late, failing } }
  }
  const health: HealthCheck = {
    name: 'tasks',
    check: async () => {
      const { details, reason } = await read()
      return toHealth([reason], details)
    },
  }
  const domain: DomainCheck = {
    domain: 'tasks',
    weight: null,
    check: async () => {
      const { details, failing, reason } = await read()
      const failed =
        failing > 0 &&
        `${toCount(failing, 'scheduled task')} failed in ${failing === 1 ? 'its' : 'their'} last run`
      const findings = [
        ...(reason ? [{ code: 'tasks_late', penalty: 0.3, detail: reason, fix }] : []),
        ...(failed ? [{ code: 'tasks_failing', penalty: 0.1, detail: failed, fix }] : []),
      ]
      return { fields: details, findings }
    },
  }
  return { health, diagnostics: [domain] }
}
