import { useState } from 'react'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Diagnostics, Domain, Logs, Pipeline } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Pairs } from '../../widgets/pairs.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { useSegments } from '../../widgets/segments.ts'
import { Subnav } from '../../widgets/subnav.tsx'
import { Time } from '../../widgets/time.tsx'
import { Analytics } from './analytics.tsx'

export function Page() {
  const t = useText()
  const [, view] = useSegments()
  const link = (name: 'logs' | 'queue' | 'repair' | 'analytics') => ({
    href: `/ui/operations/${name}`,
    text: t.running[name],
  })
  return (
    <Screen name={t.screens.operations} lede={t.running.lede}>
      <Subnav
        label={t.running.views}
        links={[
          { href: '/ui/operations', text: t.running.domains },
          link('logs'),
          link('queue'),
          link('repair'),
          link('analytics'),
        ]}
      />
      {view === undefined && <Domains />}
      {view === 'logs' && <LogView />}
      {view === 'queue' && <Queue />}
      {view === 'repair' && <Repair />}
      {view === 'analytics' && <Analytics />}
    </Screen>
  )
}

const tones: Readonly<Record<string, string>> = {
  healthy: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
}

function Domains() {
  const t = useText()
  const read = useRead<Diagnostics>('GET /api/diagnostics')
  return (
    <section className="sheet" aria-label={t.running.domains}>
      <Loaded read={read}>
        {(report) => (
          <ul className="lines" aria-label={t.running.domains}>
            {Object.entries(report).map(([name, domain]) =>
              typeof domain === 'object' && name !== 'composite' ? (
                <DomainRow key={name} name={name} domain={domain} />
              ) : null,
            )}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function DomainRow({ name, domain }: { readonly name: string; readonly domain: Domain }) {
  const t = useText()
  const format = useFormat()
  const { status, score, reasons, findings = [] } = domain
  return (
    <li>
      <i className={`dot ${tones[status] ?? ''}`} aria-hidden="true" />
      <div className="stack tight">
        <p>
          <b>{name}</b> <span className="faint">{t.running.states[status] ?? status}</span>
        </p>
        {findings.length === 0 &&
          reasons.map((reason) => (
            <p key={reason} className="faint">
              <PlainText text={reason} />
            </p>
          ))}
        {findings.map(({ code, detail, fix }) => (
          <p key={code}>
            <PlainText text={detail} />{' '}
            {fix?.command && <code className="commandline">{fix.command}</code>}
          </p>
        ))}
      </div>
      <span className="when">{format.percent(score)}</span>
    </li>
  )
}

const levels = ['debug', 'info', 'warn', 'error']
const maxLines = 1000

function LogView() {
  const t = useText()
  const [level, setLevel] = useState('info')
  const [isPaused, setPaused] = useState(false)
  const read = useRead<Logs>(
    'GET /api/logs',
    { query: { limit: maxLines, level } },
    { keepsPrevious: true, ...(!isPaused && { everyMs: 3000 }) },
  )
  return (
    <section className="sheet" aria-label={t.running.logs}>
      <div className="filters">
        <select
          className="button"
          aria-label={t.running.level}
          value={level}
          onChange={({ target }) => setLevel(target.value)}
        >
          {levels.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button
          type="button"
          className={isPaused ? 'button on' : 'button'}
          aria-pressed={isPaused}
          onClick={() => setPaused(!isPaused)}
        >
          {t.running.pause}
        </button>
      </div>
      <Loaded read={read}>
        {({ logs }) => (
          <div role="log" aria-label={t.running.logs} className="log" aria-live="off">
            {logs.length === 0 && <p className="faint">{t.running.noLogs}</p>}
            {logs.toReversed().map((entry) => (
              <p key={entry.timestamp + entry.category + entry.message}>
                <Time at={entry.timestamp} /> <b>{entry.level}</b> <Name text={entry.category} />{' '}
                <PlainText text={entry.message} />
              </p>
            ))}
          </div>
        )}
      </Loaded>
    </section>
  )
}

function Queue() {
  const t = useText()
  const format = useFormat()
  const read = useRead<Pipeline>('GET /api/pipeline/status', {}, { everyMs: 5000 })
  const pause = useChange('POST /api/pipeline/pause')
  const resume = useChange('POST /api/pipeline/resume')
  const nudge = useChange('POST /api/pipeline/nudge')
  return (
    <div className="stack">
      <div className="row wrap">
        <ActionButton
          label={t.running.pause}
          run={() => pause.run({ body: {} })}
          done={t.running.paused}
        />
        <ActionButton
          label={t.running.resume}
          run={() => resume.run({ body: {} })}
          done={t.running.resumed}
        />
        <ActionButton
          label={t.running.nudge}
          run={() => nudge.run({ body: {} })}
          done={t.running.nudged}
        />
      </div>
      <Loaded read={read}>
        {({ mode, queues, workers }) => (
          <div className="grid two">
            <Sheet title={t.running.queue} aside={mode}>
              {Object.entries(queues).map(([name, counts]) => (
                <div key={name} className="stack tight">
                  <h3>{name}</h3>
                  <Pairs
                    rows={Object.entries(counts).map(([key, value]) => [key, format.number(value)])}
                  />
                </div>
              ))}
            </Sheet>
            <Sheet title={t.running.workers}>
              <Pairs
                rows={Object.entries(workers).map(([name, { running }]) => [
                  name,
                  running ? t.common.yes : t.common.no,
                ])}
              />
            </Sheet>
          </div>
        )}
      </Loaded>
    </div>
  )
}

function Repair() {
  const t = useText()
  const changes = {
    requeue: useChange('POST /api/repair/requeue-dead'),
    release: useChange('POST /api/repair/release-leases'),
    backfill: useChange('POST /api/repair/backfill-skipped'),
  }
  return (
    <Sheet title={t.running.repair} isFlush>
      <ul className="lines">
        {(['requeue', 'release', 'backfill'] as const).map((name) => (
          <li key={name}>
            <p>
              <b>{t.running.repairs[name]}</b>
              <br />
              <span className="faint">{t.running.effects[name]}</span>
            </p>
            <span className="push">
              <ConfirmButton
                label={t.running.run}
                title={t.running.repairs[name]}
                confirm={t.running.run}
                run={() => changes[name].run({ body: {} })}
                done={t.running.done}
              >
                <p>{t.running.effects[name]}</p>
              </ConfirmButton>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
