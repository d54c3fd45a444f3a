import type { ReactNode } from 'react'
import { useState } from 'react'
import { host } from '../../host.ts'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { DreamStatusReply, StatusReply, UsageReply } from '../../queries/home.ts'
import type { TimelineReply } from '../../queries/memories.ts'
import { type ReadState, useRead } from '../../queries/read.ts'
import type { Day } from './use-day.ts'
import { useSessions } from './use-sessions.ts'

interface FiguresProps {
  readonly status: ReadState<StatusReply>
  readonly day: Day
}

/** Four numbers. A number that could not be read is shown as unknown, never as 0. */
export function Figures({ status, day }: FiguresProps) {
  return (
    <dl className="sheet grid four">
      <Stored status={status} day={day} />
      <Recalls day={day} />
      <Sessions />
      <Cost />
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: ReactNode
  readonly note: ReactNode
}

function Figure({ name, value, note }: FigureProps) {
  const t = useText()
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>{value || <span className="faint">{t.common.unknown}</span>}</dd>
      {note && <dd className="note">{note}</dd>}
    </div>
  )
}

function Stored({ status: { data }, day }: FiguresProps) {
  const t = useText()
  const format = useFormat()
  const timeline = useRead<TimelineReply>('GET /api/memory/timeline')
  const today = timeline.data?.buckets.find(({ rangeKey }) => rangeKey === 'today')
  const countOf = (event: string) => today?.events.find(({ name }) => name === event)?.count ?? 0
  return (
    <Figure
      name={t.home.memories}
      value={data && format.number(data.memories.live)}
      note={today && t.home.memoriesNote(day.stored, countOf('deleted'))}
    />
  )
}

function Recalls({ day: { events, recalls } }: { readonly day: Day }) {
  const t = useText()
  const format = useFormat()
  const found = recalls.filter(({ found }) => found > 0).length
  const share = recalls.length === 0 ? '–' : format.percent(found / recalls.length)
  return (
    <Figure
      name={t.home.recalls}
      value={events.data && share}
      note={events.data && t.home.recallsNote(found, recalls.length)}
    />
  )
}

function Sessions() {
  const t = useText()
  const format = useFormat()
  const { captured, open } = useSessions()
  return (
    <Figure
      name={t.home.sessions}
      value={captured !== undefined && format.number(captured)}
      note={open !== undefined && t.home.sessionsNote(open)}
    />
  )
}

function Cost() {
  const t = useText()
  const format = useFormat()
  const [since] = useState(() => new Date(host.now()).toISOString().slice(0, 10))
  const usage = useRead<UsageReply>('GET /api/inference/usage', { query: { since } })
  const dream = useRead<DreamStatusReply>('GET /api/dream/status')
  const { cost, calls } = usage.data?.totals ?? {}
  const limit = dream.data?.budget.day.limits.cost
  const share = cost !== undefined && limit ? Math.min(100, (cost / limit) * 100) : 0
  return (
    <Figure
      name={t.home.cost}
      value={
        cost === undefined ? undefined : (
          <>
            {format.money(cost)}{' '}
            {limit !== undefined && <small>{t.home.costOf(format.money(limit))}</small>}
          </>
        )
      }
      note={
        <>
          {calls ? t.home.callsNote(calls) : t.home.costNote}
          <svg className="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className="rest" width="100" height="8" />
            <rect width={share} height="8" />
          </svg>
        </>
      }
    />
  )
}
