import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { Plugins, Skills, Tasks } from '../../queries/extensions.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath, useSegments } from '../../widgets/segments.ts'
import { PluginPage } from './plugin-page.tsx'
import { SkillPage } from './skill-page.tsx'
import { TaskPage } from './task-page.tsx'

const details: Readonly<Record<string, (id: string) => ReactNode>> = {
  skills: (id) => <SkillPage key={id} name={id} />,
  plugins: (id) => <PluginPage key={id} id={id} />,
  tasks: (id) => <TaskPage key={id} id={id} />,
}

export function Page() {
  const t = useText()
  const [part = '', id] = useSegments()
  if (id !== undefined) return details[part]?.(id)
  return (
    <Screen name={t.screens.extensions} lede={t.running.extensionsLede}>
      <div className="grid two">
        <TaskList />
        <div className="stack">
          <SkillList />
          <PluginList />
        </div>
      </div>
    </Screen>
  )
}

function TaskList() {
  const t = useText()
  const read = useRead<Tasks>('GET /api/tasks')
  return (
    <Sheet title={t.running.tasks} isFlush>
      <Loaded read={read}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <Empty title={t.running.noTasks} text={t.running.noTasksText} />
          ) : (
            <ul className="lines" aria-label={t.running.tasks}>
              {tasks.map((task) => (
                <TaskRow key={task.id} task={task} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function TaskRow({ task }: { readonly task: Tasks['tasks'][number] }) {
  const t = useText()
  const { id, name, prompt, cron_expression, harness, enabled, last_run_status } = task
  const start = useChange('POST /api/tasks/:id/run')
  const update = useChange('PATCH /api/tasks/:id')
  const isOn = Boolean(enabled)
  return (
    <li>
      <i className={isOn ? 'dot good' : 'dot'} aria-hidden="true" />
      <div className="stack tight">
        <p>
          <Link href={toPath('tasks', id)}>
            <Name text={name} />
          </Link>{' '}
          <span className="chip mono">
            <Name text={cron_expression} />
          </span>{' '}
          <span className="chip">
            <Name text={harness} />
          </span>{' '}
          {last_run_status !== null && (
            <span className="chip">{t.extensions.states[last_run_status] ?? last_run_status}</span>
          )}
        </p>
        <p className="read">
          <PlainText text={prompt} />
        </p>
        <div className="row wrap">
          <ActionButton
            label={t.running.run}
            run={() => start.run({ path: { id }, body: {} })}
            done={t.running.done}
          />
          <ActionButton
            label={isOn ? t.running.switchOff : t.running.switchOn}
            run={() => update.run({ path: { id }, body: { enabled: !isOn } })}
            done={t.memories.edited}
          />
        </div>
      </div>
    </li>
  )
}

function SkillList() {
  const t = useText()
  const read = useRead<Skills>('GET /api/skills')
  const remove = useChange('DELETE /api/skills/:name')
  return (
    <Sheet title={t.running.skills} isFlush>
      <Loaded read={read}>
        {({ skills }) => (
          <ul className="lines">
            {skills.length === 0 && <li className="faint">{t.running.noSkills}</li>}
            {skills.map(({ name, description }) => (
              <li key={name}>
                <i className="dot lamp" aria-hidden="true" />
                <p>
                  <Link href={toPath('skills', name)}>
                    <Name text={name} />
                  </Link>
                  <br />
                  <span className="faint">
                    <PlainText text={description ?? ''} />
                  </span>
                </p>
                <span className="push">
                  <ConfirmButton
                    label={t.sources.remove}
                    tone="danger"
                    title={t.sources.removeTitle(name)}
                    confirm={t.sources.removeConfirm}
                    run={() => remove.run({ path: { name } })}
                    done={t.sources.removed}
                  />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}

function PluginList() {
  const t = useText()
  const read = useRead<Plugins>('GET /api/plugins')
  return (
    <Sheet title={t.running.plugins} isFlush>
      <Loaded read={read}>
        {({ plugins }) => (
          <ul className="lines">
            {plugins.map(({ id, name, version, state, grantedCapabilities }) => (
              <li key={id}>
                <i className={state === 'active' ? 'dot good' : 'dot warn'} aria-hidden="true" />
                <p>
                  <Link href={toPath('plugins', id)}>
                    <Name text={name} />
                  </Link>{' '}
                  <span className="faint">{version}</span>
                  <br />
                  <span className="faint">{t.running.grants(grantedCapabilities.length)}</span>
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}
