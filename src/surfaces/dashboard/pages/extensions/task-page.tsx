import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { TaskReply, TaskRuns } from '../../queries/extensions.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'
import { useLiveRun } from './use-live-run.ts'

const everyMs = 5000

/** One task with its runs and their output. */
export function TaskPage({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<TaskReply>('GET /api/tasks/:id', { path: { id } })
  const runs = useRead<TaskRuns>('GET /api/tasks/:id/runs', { path: { id } }, { everyMs })
  const name = read.data?.task.name ?? t.running.tasks
  return (
    <Screen name={name} title={<Name text={name} />} actions={<RunNow id={id} />}>
      <p className="row wrap faint crumbs">
        <Link href="/ui/extensions">{t.screens.extensions}</Link>
      </p>
      <LiveOutput id={id} onEnd={runs.retry} />
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
              <div className="stack">
                <p className="prewrap">
                  <PlainText text={task.prompt} />
                </p>
                <Pairs
                  rows={[
                    [t.extensions.schedule, <Name key="cron" text={task.cron_expression} />],
                    [t.extensions.harness, <Name key="harness" text={task.harness} />],
                    [t.memories.state, task.enabled ? t.extensions.on : t.extensions.off],
                  ]}
                />
              </div>
            )}
          </Loaded>
        </Sheet>
      </div>
    </Screen>
  )
}

function RunNow({ id }: { readonly id: string }) {
  const t = useText()
  const start = useChange('POST /api/tasks/:id/run')
  if (start.isMissing) return null
  return (
    <ActionButton
      label={t.running.run}
      run={() => start.run({ path: { id }, body: {} })}
      done={t.extensions.started}
    />
  )
}

interface LiveProps {
  readonly id: string
  readonly onEnd: () => void
}

/** The output of a run that is not over. */
function LiveOutput({ id, onEnd }: LiveProps) {
  const t = useText()
  const cancel = useChange('POST /api/tasks/:id/cancel')
  const run = useLiveRun(id, onEnd)
  if (!run) return null
  return (
    <section className="sheet pad stack" aria-label={t.extensions.live}>
      <div className="row">
        <h2 className="part">{t.extensions.live}</h2>
        <span className="push">
          <ActionButton
            label={t.extensions.stop}
            tone="danger"
            run={() => cancel.run({ path: { id }, body: {} })}
            done={t.extensions.stopped}
          />
        </span>
      </div>
      <pre className="code" role="log" aria-label={t.extensions.output}>
        <PlainText text={run.output} />
      </pre>
    </section>
  )
}

const stateTones: Readonly<Record<string, string>> = {
  completed: 'good',
  failed: 'bad',
  running: 'act',
}

function RunRow({ run }: { readonly run: TaskRuns['runs'][number] }) {
  const t = useText()
  const output = [run.stdout, run.stderr, run.error].filter(Boolean).join('\n')
  return (
    <li>
      <i className={`dot ${stateTones[run.status] ?? 'warn'}`} aria-hidden="true" />
      <div className="stack tight">
        <p>
          {t.extensions.states[run.status] ?? run.status} <Time at={run.started_at} />
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
