import { join } from 'node:path'
import { toHealth } from '../../kernel/health/health.ts'
import { skillsSettings } from './config.ts'
import { createInstaller } from './install/install-skill.ts'
import { cleanStaging } from './install/staging.ts'
import { listSkills, readBody } from './installed.ts'
import { skillsMigrations } from './migrations.ts'
import type { SkillsNeeds } from './needs.ts'
import { skillsRoutes } from './routes.ts'
import { deleteAgentRows, deleteBefore, type InvocationRow, insertInvocation } from './store.ts'

export { skillsSettings } from './config.ts'

export const skillsModule = {
  name: 'skills',
  settings: [skillsSettings],
  migrations: skillsMigrations,
} as const

/** The same as for session scores. */
const invocationDays = 90
const dayMs = 86_400_000

export function createSkills(needs: SkillsNeeds) {
  const { db, host, log } = needs
  const skillsFolder = join(needs.folder, 'skills')
  const stagingParent = join(needs.folder, '.daemon')
  const install = createInstaller({ ...needs, skillsFolder, stagingParent })
  const sweep = () =>
    deleteBefore(db, new Date(host.now().getTime() - invocationDays * dayMs).toISOString())
  return {
    routes: skillsRoutes({ ...needs, skillsFolder, install }),
    /** The texts that scheduled tasks add to their prompts. */
    bodies: { readBody: (name: string) => readBody(skillsFolder, name) },
    /** Saves the uses of skills that harnesses report. */
    invocations: { save: (row: InvocationRow) => insertInvocation(db, row) },
    health: {
      name: 'skills',
      check: async () => {
        const { count, error } = await listSkills(needs, skillsFolder)
        return toHealth([error], { installed: count })
      },
    },
    sweep,
    schedules: [{ name: 'skills.sweep', everyMs: 21_600_000, run: sweep }],
    agentRemoval: { archive: deleteAgentRows, purge: deleteAgentRows },
    start: () =>
      cleanStaging(stagingParent, skillsFolder).catch((err: unknown) => {
        log.error({ err }, 'rest of a skill installation not removed')
      }),
  }
}
