import { daysAgo } from '../../kernel/host/host.ts'
import { createAdmission } from './admission.ts'
import { agentSettings, hooksSettings } from './config.ts'
import { createExtensions, readExtensions } from './extensions.ts'
import { hooksMigrations } from './migrations.ts'
import type { HooksOptions } from './needs.ts'
import { hooksRoutes } from './routes.ts'
import { deleteAgent, deleteBefore, deleteNoticesBefore } from './store.ts'

export { createClock } from './clock.ts'
export { agentSettings, hooksSettings } from './config.ts'
export { promptAnswered } from './events.ts'
export type { EntitiesPort, EntityReader } from './needs.ts'
export { listUnspacedRuns } from './prompt/entity-context.ts'

const retentionDays = 30
/** Messages and task runs are noticed no later than this. */
const noticeDays = 7

export const hooksModule = {
  name: 'hooks',
  settings: [hooksSettings, agentSettings],
  migrations: hooksMigrations,
} as const

export function createHooks(options: HooksOptions) {
  const { db, host } = options
  const extensions = createExtensions()
  const needs = { ...options, ...readExtensions(extensions, options.log) }
  const sweep = async () => {
    await deleteBefore(db, daysAgo(host, retentionDays))
    await deleteNoticesBefore(db, daysAgo(host, noticeDays))
  }
  return {
    routes: hooksRoutes(needs, createAdmission(host)),
    ...extensions,
    extensionPoints: Object.values(extensions),
    sweep,
    schedules: [{ name: 'hooks.sweep', everyMs: 21_600_000, run: sweep }],
    agentRemoval: { archive: deleteAgent, purge: deleteAgent },
  }
}
