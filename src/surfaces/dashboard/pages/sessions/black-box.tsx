import { useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import { type BlackBox, type BlackBoxEvent, maxLabel } from '../../queries/sessions.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'

const maxRefs = 200
/** Recalls and written files have no live event. */
const everyMs = 5000

/** A time line of what came into a session, with the state at each moment. */
export function BlackBoxView({ id }: { readonly id: string }) {
  const t = useText()
  const path = { key: id }
  const read = useRead<BlackBox>('GET /api/sessions/:key/blackbox', { path }, { everyMs })
  return (
    <Loaded read={read}>
      {({ events }) =>
        events.length === 0 ? (
          <section className="sheet">
            <Empty title={t.sessions.noEvents} text={t.sessions.noEventsText} />
          </section>
        ) : (
          <Scrubber events={events} />
        )
      }
    </Loaded>
  )
}

function Scrubber({ events }: BlackBox) {
  const t = useText()
  const last = events.length - 1
  /** Undefined at the newest event, also when others follow. */
  const [chosen, setChosen] = useState<number>()
  const at = Math.min(chosen ?? last, last)
  const current = events[at]
  const refs = events
    .slice(0, at + 1)
    .flatMap((event) => event.refs.filter(({ kind }) => kind === 'memory'))
  const inView = [...new Map(refs.map((ref) => [ref.id, ref])).values()].slice(-maxRefs)
  return (
    <div className="grid two">
      <Sheet title={t.sessions.timeline} aside={t.sessions.moment(at + 1, events.length)} isFlush>
        <p className="pad">
          <input
            type="range"
            className="scrub"
            aria-label={t.sessions.timeline}
            min={0}
            max={last}
            value={at}
            onChange={({ target }) => {
              const value = Number(target.value)
              setChosen(value < last ? value : undefined)
            }}
          />
        </p>
        <ol className="lines">
          {events.slice(Math.max(0, at - 12), at + 1).map((event) => (
            <EventLine key={event.id} event={event} isCurrent={event === current} />
          ))}
        </ol>
      </Sheet>
      <Sheet title={t.sessions.inView} isFlush>
        <ul className="lines">
          {inView.length === 0 && <li className="faint">{t.sessions.nothingInView}</li>}
          {inView.map(({ id, label }) => (
            <li key={id}>
              <i className="dot lamp" aria-hidden="true" />
              <Link className="read" href={toPath('memories', id)}>
                <PlainText text={label} cutAt={maxLabel} />
              </Link>
            </li>
          ))}
        </ul>
      </Sheet>
    </div>
  )
}

interface EventProps {
  readonly event: BlackBoxEvent
  readonly isCurrent: boolean
}

function EventLine({ event: { kind, title, at, refs }, isCurrent }: EventProps) {
  const t = useText()
  const [ref] = refs
  return (
    <li aria-current={isCurrent || undefined}>
      <i className={isCurrent ? 'dot lamp' : 'dot'} aria-hidden="true" />
      <p>
        {t.sessions.kinds[kind] ?? <PlainText text={title} />}
        {ref && (
          <>
            <br />
            <span className="faint">
              <PlainText text={ref.label} cutAt={maxLabel} />
            </span>
          </>
        )}
      </p>
      <Time at={at} className="when" />
    </li>
  )
}
