import type { TaskAnswer } from './task-process.ts'
import type { Tasks } from './task-thread.ts'

/** Runs in the child of a task process. The child ends with its parent. */
export function serveTasks<Module extends Tasks<Module>>(module: Module): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async (message: { readonly name: string; readonly task: unknown }) => {
    process.send?.(await answer(module, message))
  })
}

async function answer<Module extends Tasks<Module>>(
  module: Module,
  { name, task }: { readonly name: string; readonly task: unknown },
): Promise<TaskAnswer> {
  try {
    return { value: await module[name as keyof Module](task as never) }
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' }
  }
}
