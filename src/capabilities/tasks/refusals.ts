import { Refusal } from '../../kernel/errors/refusal.ts'

export function taskNotFound(): Refusal {
  return new Refusal('not_found', 'task_not_found', 'Task not found')
}

export function runNotFound(): Refusal {
  return new Refusal('not_found', 'task_run_not_found', 'Run not found')
}

export const cronRule =
  'Invalid cron expression. Set cronExpression to five fields with a future time, such as "0 9 * * 1".'

export function invalidCron(): Refusal {
  return new Refusal('invalid', 'invalid_cron', cronRule)
}

export function alreadyRunning(): Refusal {
  return new Refusal('conflict', 'task_running', 'Task is already running')
}

export function queueFull(maxPending: number): Refusal {
  const message = `${maxPending} runs are pending. Retry when some have ended.`
  return new Refusal('too_many', 'task_queue_full', message)
}

export function tooManyTasks(maxTasks: number): Refusal {
  const message = `${maxTasks} tasks are stored. Delete one first.`
  return new Refusal('too_many', 'task_limit', message)
}
