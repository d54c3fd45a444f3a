import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { SessionsReply } from '../../queries/home.ts'
import { useChange, useRead } from '../../queries/read.ts'
import type { Summaries } from '../../queries/sessions.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Subnav } from '../../widgets/subnav.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { Time } from '../../widgets/values.tsx'
import { BlackBoxView } from './black-box.tsx'
import { Reader } from './reader.tsx'

interface SessionProps {
  readonly id: string
  readonly view: string
}

/** One session: what was said, what came into view, and its summary. */
export function SessionPage({ id, view }: SessionProps) {
  const t = useText()
  const path = toPath('sessions', id)
  return (
    <Screen name={id} title={<Name text={id} />} actions={<Bypass id={id} />}>
      <Facts id={id} />
      <Subnav
        label={t.sessions.views}
        links={[
          { href: path, text: t.sessions.transcript },
          { href: `${path}/blackbox`, text: t.sessions.blackBox },
          { href: `${path}/summary`, text: t.sessions.summary },
        ]}
      />
      {view === 'blackbox' && <BlackBoxView id={id} />}
      {view === 'summary' && <Summary id={id} />}
      {view === '' && <Reader id={id} />}
    </Screen>
  )
}

/** Where and when the session was, as far as it is known. */
function Facts({ id }: { readonly id: string }) {
  const t = useText()
  const live = useRead<SessionsReply>('GET /api/sessions')
  const ended = useRead<Summaries>('GET /api/sessions/summaries', { query: { limit: 200 } })
  const open = live.data?.sessions.find(({ key }) => key === id)
  const past = ended.data?.summaries.find(({ session_key }) => session_key === id)
  const { harness = null, project = null } = open ?? past ?? {}
  const at = open?.claimedAt ?? past?.created_at
  return (
    <p className="row wrap faint crumbs">
      <Link href="/ui/sessions">{t.screens.sessions}</Link>
      <span>{'›'}</span>
      {harness !== null && <Name text={harness} />}
      {project !== null && <Name text={project} />}
      {at !== undefined && <Time at={at} />}
      {open && <span className="chip good">{t.sessions.open}</span>}
    </p>
  )
}

/** A bypassed session gets nothing and leaves nothing. Only an open session has the switch. */
function Bypass({ id }: { readonly id: string }) {
  const t = useText()
  const { data } = useRead<SessionsReply>('GET /api/sessions')
  const change = useChange('POST /api/sessions/:key/bypass')
  const session = data?.sessions.find(({ key }) => key === id)
  const { run, failure } = useRun(() =>
    change.run({ path: { key: id }, body: { enabled: !session?.bypassed } }),
  )
  if (!session) return null
  return (
    <>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={session.bypassed}
        onClick={run}
      >
        {t.sessions.bypass}
      </button>
      {failure}
    </>
  )
}

function Summary({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<Summaries>('GET /api/sessions/summaries', { query: { limit: 200 } })
  return (
    <section className="sheet" aria-label={t.sessions.summary}>
      <Loaded read={read}>
        {({ summaries }) => {
          const own = summaries.filter(({ session_key }) => session_key === id)
          if (own.length === 0)
            return <Empty title={t.sessions.noSummary} text={t.sessions.noSummaryText} />
          return own.map((summary) => (
            <article key={summary.id} className="pad">
              <p className="memory">
                <PlainText text={summary.content} />
              </p>
              <p className="from">
                {summary.harness !== null && <Name text={summary.harness} />}{' '}
                <Time at={summary.created_at} />
              </p>
            </article>
          ))
        }}
      </Loaded>
    </section>
  )
}
