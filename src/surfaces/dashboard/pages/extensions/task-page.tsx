import { useText } from '../../i18n/language.tsx'
import type { TaskReply, TaskRuns } from '../../queries/extensions.ts'
import { useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'

const everyMs = 5000

/** One task with its runs and their output. */
export function TaskPage({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<TaskReply>('GET /api/tasks/:id', { path: { id } })
  const runs = useRead<TaskRuns>('GET /api/tasks/:id/runs', { path: { id } }, { everyMs })
  const name = read.data?.task.name ?? t.running.tasks
  return (
    <Screen name={name} title={<Name text={name} />}>
      <div className="grid two">
        <Sheet title={t.extensions.runs} isFlush>
          <Loaded read={runs}>
            {(reply) => (
              <ul className="lines" aria-label={t.extensions.runs}>
                {reply.runs.length === 0 && <li className="faint">{t.extensions.noRuns}</li>}
                {reply.runs.map((run) => (
                  <RunRow key={run.id} run={run} />
                ))}
              </ul>
            )}
          </Loaded>
        </Sheet>
        <Sheet title={t.extensions.prompt}>
          <Loaded read={read}>
            {({ task }) => (
              <p className="prewrap">
                <PlainText text={task.prompt} />
              </p>
            )}
          </Loaded>
        </Sheet>
      </div>
    </Screen>
  )
}

function RunRow({ run }: { readonly run: TaskRuns['runs'][number] }) {
  const output = [run.stdout, run.stderr, run.error].filter(Boolean).join('\n')
  return (
    <li>
      <i className={run.status === 'completed' ? 'dot good' : 'dot warn'} aria-hidden="true" />
      <div className="stack tight">
        <p>
          {run.status} <Time at={run.started_at} />
        </p>
        {output !== '' && (
          <pre className="code">
            <PlainText text={output} />
          </pre>
        )}
      </div>
    </li>
  )
}
