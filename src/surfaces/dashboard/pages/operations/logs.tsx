import { useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { LogEntry, Logs } from '../../queries/running.ts'
import { useCanCall } from '../../queries/session.tsx'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Time } from '../../widgets/values.tsx'
import { useLiveLogs } from './use-live-logs.ts'

const levels = ['debug', 'info', 'warn', 'error']
const maxLines = 1000
/** The document has at most this many lines; a smaller level shows what matters among more. */
const maxShown = 250

/** The newest log lines; new ones appear while the view is open. */
export function LogView() {
  const t = useText()
  const [level, setLevel] = useState('info')
  const [isPaused, setPaused] = useState(false)
  const read = useRead<Logs>(
    'GET /api/logs',
    { query: { limit: maxLines, level } },
    { keepsPrevious: true },
  )
  const hasStream = useCanCall()('GET /api/logs/stream')
  const live = useLiveLogs(level, hasStream && !isPaused)
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
            {logs.length + live.length === 0 && <p className="faint">{t.running.noLogs}</p>}
            {merge(logs, live).map(([key, entry]) => (
              <p key={key}>
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

/** The lines in the order of time. The stream may repeat those that were read. */
function merge(logs: readonly LogEntry[], live: readonly LogEntry[]) {
  const lines = [...logs.toReversed(), ...live].map(
    (entry) => [entry.timestamp + entry.category + entry.message, entry] as const,
  )
  return [...new Map(lines)].slice(-maxShown)
}
