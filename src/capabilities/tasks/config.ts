import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

/** `tasks` of `agent.yaml`. */
export const tasksSettings = defineSettings(
  'tasks',
  z
    .object({
      /** `run` runs a task once for the times that passed while no daemon ran; `skip` does not. */
      catchUp: z.enum(['run', 'skip']).default('run'),
      /** Lets harnesses act without asking. Without it they refuse what needs a permission. */
      skipPermissions: z.boolean().default(true),
    })
    .prefault({}),
)
export type TasksConfig = z.output<typeof tasksSettings.schema>
