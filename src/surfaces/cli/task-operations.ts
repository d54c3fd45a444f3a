import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Row, renderDetail, toRows } from './render.ts'
import { toLocalTime } from './times.ts'

const options = {
  cronExpression: 'cron',
  workingDirectory: 'folder',
  skillName: 'skill',
  skillMode: 'skill-mode',
}

/** The commands about scheduled tasks that send one request. */
export const taskOperations: readonly Operation[] = [
  {
    command: 'task list',
    route: 'GET /api/tasks',
    summary: 'List the scheduled tasks, the newest first',
    after: 'secret key',
    list: 'tasks',
    columns: {
      id: 'id',
      name: ({ name }) => toLine(String(name), 40),
      schedule: 'cron_expression',
      harness: 'harness',
      next: ({ next_run_at: next }) => next ?? 'disabled',
      last: ({ last_run_status: last }) => String(last ?? ''),
    },
    empty: 'No task is scheduled. Add one: reverie task add NAME PROMPT CRON HARNESS',
  },
  {
    command: 'task add',
    route: 'POST /api/tasks',
    summary: 'Create a task that runs a prompt by a schedule',
    examples: ['reverie task add Report "Summarize the week." "0 9 * * 1" claude-code'],
    arguments: ['name', 'prompt', 'cronExpression', 'harness'],
    options: { ...options, enabled: null },
    render: ({ id, nextRunAt, warning }) =>
      [
        `${colors.green('✓')} Added; next run: ${String(nextRunAt ?? 'none')}`,
        `  ${colors.dim(String(id))}`,
        ...(warning ? [`${colors.yellow('!')} ${toLine(String(warning), 200)}`] : []),
      ].join('\n'),
  },
  {
    command: 'task show',
    route: 'GET /api/tasks/:id',
    summary: 'Show a task and its newest runs',
    examples: ['reverie task show 0195f3a0'],
    render: ({ task, runs }) =>
      [renderDetail(Object(task)), ...toRows(runs).map(renderRun)].join('\n'),
  },
  {
    command: 'task edit',
    route: 'PATCH /api/tasks/:id',
    summary: 'Change a task',
    examples: [
      'reverie task edit 0195f3a0 --cron "*/15 * * * *"',
      'reverie task edit 0195f3a0 --enabled false',
    ],
    options: { ...options, enabled: '=enabled' },
    descriptions: { enabled: 'false disables the task; a run that is under way ends by itself' },
    render: (_, [id = '']) => `${colors.green('✓')} Changed ${toLine(id)}`,
  },
  {
    command: 'task remove',
    route: 'DELETE /api/tasks/:id',
    summary: 'Delete a task and its runs',
    examples: ['reverie task remove 0195f3a0 --yes'],
    render: (_, [id = '']) => `${colors.green('✓')} Removed ${toLine(id)}`,
  },
  {
    command: 'task run',
    route: 'POST /api/tasks/:id/run',
    summary: 'Run a task now',
    examples: ['reverie task run 0195f3a0'],
    render: ({ runId, status }) =>
      `${colors.green('✓')} ${toLine(String(status))}\n  ${colors.dim(String(runId))}`,
  },
  {
    command: 'task cancel',
    route: 'POST /api/tasks/:id/cancel',
    summary: 'End the live run of a task',
    examples: ['reverie task cancel 0195f3a0'],
    render: ({ cancelled }) => (cancelled ? 'The run is ended.' : 'The task does not run.'),
  },
  {
    command: 'task runs',
    route: 'GET /api/tasks/:id/runs',
    summary: 'List the runs of a task, the newest first',
    examples: ['reverie task runs 0195f3a0'],
    render: ({ runs }) => toRows(runs).map(renderRun).join('\n') || 'The task has not run.',
  },
]

function renderRun({ id, error, exit_code: code, started_at: at, status, trigger }: Row): string {
  const result = error ?? (code === null || code === undefined ? '' : `exit code ${code}`)
  const line = `${toLocalTime(String(at))} ${status} by ${trigger} ${result}`
  return `${toLine(line, 200)} ${colors.dim(String(id))}`
}
