import { useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { SessionsReply } from '../../queries/home.ts'
import { toWords } from '../../queries/memories.ts'
import { useRead } from '../../queries/read.ts'
import type { BlackBoxList, SessionHits, Summaries } from '../../queries/sessions.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen } from '../../widgets/screen.tsx'
import { toPath, useSegments } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'
import { SessionPage } from './session-page.tsx'

export function Page() {
  const t = useText()
  const [, key, view] = useSegments()
  if (key !== undefined) return <SessionPage key={key} id={key} view={view ?? ''} />
  return (
    <Screen name={t.screens.sessions} lede={t.sessions.lede}>
      <SessionSearch />
    </Screen>
  )
}

function SessionSearch() {
  const t = useText()
  const [query, setQuery] = useState('')
  const wanted = query.trim()
  return (
    <section className="sheet" aria-label={t.screens.sessions}>
      <label className="field">
        <Icon name="search" />
        <span className="unseen">{t.sessions.search}</span>
        <input
          type="search"
          value={query}
          placeholder={t.sessions.search}
          onChange={({ target }) => setQuery(target.value)}
        />
      </label>
      {wanted === '' ? <SessionList /> : <Hits query={wanted} />}
    </section>
  )
}

function Hits({ query }: { readonly query: string }) {
  const t = useText()
  const read = useRead<SessionHits>(
    'POST /api/sessions/search',
    { body: { query, limit: 20 } },
    { keepsPrevious: true },
  )
  return (
    <Loaded read={read}>
      {({ hits }) =>
        hits.length === 0 ? (
          <Empty title={t.sessions.noHits} text={t.sessions.noHitsText} />
        ) : (
          <ul aria-label={t.screens.sessions} data-rows="">
            {hits.map(({ sessionKey, updatedAt, excerpt }) => (
              <li key={sessionKey} className="result">
                <Link href={toPath('sessions', sessionKey)} data-row="">
                  <Name text={sessionKey} />
                </Link>
                <p className="quote">
                  <PlainText text={excerpt} words={toWords(query)} />
                </p>
                <footer>
                  <Time at={updatedAt} />
                </footer>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const maxSummary = 400

interface Row {
  readonly key: string
  readonly summary?: string
  readonly project: string | null
  readonly at: string
  readonly harness?: string | null
  readonly isLive: boolean
  readonly isBypassed: boolean
  readonly recalls?: number
}

function SessionList() {
  const t = useText()
  const live = useRead<SessionsReply>('GET /api/sessions')
  const past = useRead<BlackBoxList>('GET /api/sessions/blackbox')
  const ended = useRead<Summaries>('GET /api/sessions/summaries', { query: { limit: 100 } })
  return (
    <Loaded read={live}>
      {({ sessions }) => {
        const rows = mergeRows(sessions, past.data?.sessions ?? [], ended.data?.summaries ?? [])
        if (rows.length === 0) return <Empty title={t.sessions.none} text={t.sessions.noneText} />
        return (
          <ul className="lines" aria-label={t.screens.sessions} data-rows="">
            {rows.map((row) => (
              <SessionRow key={row.key} row={row} />
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}

function mergeRows(
  live: SessionsReply['sessions'],
  past: BlackBoxList['sessions'],
  summaries: Summaries['summaries'],
): Row[] {
  const boxes = new Map(past.map((box) => [box.sessionKey, box]))
  const open = live.map(({ key, project, claimedAt, harness, bypassed }): Row => {
    const recalls = boxes.get(key)?.recallEvents
    const state = { isLive: true, isBypassed: bypassed }
    return {
      key,
      project,
      at: claimedAt,
      harness,
      ...state,
      ...(recalls !== undefined && { recalls }),
    }
  })
  const known = new Set(open.map(({ key }) => key))
  const ended = past
    .filter(({ sessionKey }) => !known.has(sessionKey))
    .map(({ sessionKey, project, lastAt, recallEvents }): Row => {
      const state = { isLive: false, isBypassed: false }
      return { key: sessionKey, project, at: lastAt, recalls: recallEvents, ...state }
    })
  const listed = new Map([...open, ...ended].map((row) => [row.key, row]))
  for (const { session_key: key, project, harness, created_at: at, content: summary } of summaries)
    if (key !== null)
      listed.set(key, {
        ...(listed.get(key) ?? { key, project, at, isLive: false, isBypassed: false }),
        harness,
        summary,
      })
  return [...listed.values()].toSorted((a, b) => b.at.localeCompare(a.at))
}

function SessionRow({ row }: { readonly row: Row }) {
  const t = useText()
  const { key, project, at, harness, isLive, isBypassed, recalls, summary } = row
  return (
    <li>
      <i className={isLive ? 'dot good' : 'dot'} aria-hidden="true" />
      <p>
        <Link href={toPath('sessions', key)} data-row="">
          <Name text={key} />
        </Link>{' '}
        {isLive && <span className="chip good">{t.sessions.open}</span>}{' '}
        {isBypassed && <span className="chip warn">{t.sessions.bypassed}</span>}
        <br />
        <span className="faint">
          {harness && (
            <>
              <Name text={harness} />
              {' · '}
            </>
          )}
          {project !== null && <Name text={project} />}
          {recalls !== undefined && ` · ${t.sessions.recalls(recalls)}`}
        </span>
        {summary !== undefined && (
          <span className="memory cut">
            <PlainText text={summary.slice(0, maxSummary)} />
          </span>
        )}
      </p>
      <Time at={at} className="when" />
    </li>
  )
}
