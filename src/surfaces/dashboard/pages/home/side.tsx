import { useState } from 'react'
import { Link } from 'wouter'
import type { Dictionary } from '../../i18n/en.ts'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { DreamStatusReply, HarnessesReply, StatusReply } from '../../queries/home.ts'
import { type ReadState, useRead } from '../../queries/read.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'
import { ConnectHarness } from './connect.tsx'
import { useSessions } from './use-sessions.ts'

export function LastDream({ dream }: { readonly dream: ReadState<DreamStatusReply> }) {
  const t = useText()
  const format = useFormat()
  return (
    <Sheet title={t.home.lastDream} aside={<Link href="/ui/dreaming">{t.home.review}</Link>}>
      <Loaded read={dream}>
        {({ enabled, plans, passes, episodicTokensPending, state: { lastPassAt } }) => (
          <div className="stack tight">
            <p className="memory">{enabled ? toSentence(t, passes) : t.home.dreamOff}</p>
            {enabled && (
              <p className="faint">{t.home.dreamPending(format.number(episodicTokensPending))}</p>
            )}
            <div className="row wrap">
              {plans > 0 && (
                <Link className="button main" href="/ui/dreaming">
                  {t.home.dreamPlan(plans)}
                </Link>
              )}
              {lastPassAt !== null && <Time at={lastPassAt} className="faint" />}
            </div>
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

/** The pass that waits for a decision, else the newest. */
function toSentence({ home }: Dictionary, passes: DreamStatusReply['passes']): string {
  const waiting = passes.find(({ disposition }) => disposition === 'planned')
  if (waiting) return home.dreamWaits(waiting.sources)
  const [last] = passes
  return last ? home.dreamDid(last.sources, last.mutationsApplied) : home.dreamNever
}

export function Connected() {
  const t = useText()
  const read = useRead<HarnessesReply>('GET /api/harnesses')
  return (
    <Sheet title={t.home.connected} aside={<ConnectAnother read={read} />} isFlush>
      <Loaded read={read}>{({ harnesses }) => <HarnessLines harnesses={harnesses} />}</Loaded>
    </Sheet>
  )
}

function ConnectAnother({ read }: { readonly read: ReadState<HarnessesReply> }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  if (!read.data) return null
  return (
    <>
      <button type="button" className="linklike" onClick={() => setOpen(true)}>
        {t.home.connectAnother}
      </button>
      {isOpen && (
        <Dialog title={t.home.connectAnother} onClose={() => setOpen(false)}>
          <ConnectHarness harnesses={read.data.harnesses} />
          <div className="actions">
            <button type="button" className="button" onClick={() => setOpen(false)}>
              {t.common.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function HarnessLines({ harnesses }: HarnessesReply) {
  const t = useText()
  const { countOf } = useSessions()
  const shown = harnesses.filter(({ exists, lastSeen }) => exists || lastSeen !== null)
  if (shown.length === 0) return <p className="pad faint">{t.home.noneConnected}</p>
  return (
    <ul className="lines">
      {shown.map(({ id, name, lastSeen }) => (
        <li key={id}>
          <i className={lastSeen === null ? 'dot' : 'dot good'} aria-hidden="true" />
          <p>
            {name}
            <br />
            <span className="faint">
              {lastSeen === null ? t.home.neverSeen : t.home.sessionsToday(countOf(id))}
            </span>
          </p>
          {lastSeen !== null && <Time at={lastSeen} className="when" />}
        </li>
      ))}
    </ul>
  )
}

interface CountReply {
  readonly items: readonly unknown[]
}

/** What waits for a decision, and what is broken. */
export function NeedsYou({ status }: { readonly status: ReadState<StatusReply> }) {
  const t = useText()
  const proposals = useRead<CountReply>('GET /api/ontology/proposals', {
    query: { status: 'pending' },
  })
  const contradictions = useRead<CountReply>('GET /api/ontology/contradictions')
  const due = useRead<CountReply>('GET /api/memory/review-queue')
  const items = [
    toItem(proposals, t.home.proposals, t.home.proposalsNote, '/ui/knowledge/proposals'),
    toItem(
      contradictions,
      t.home.contradictions,
      t.home.contradictionsNote,
      '/ui/knowledge/conflicts',
    ),
    toItem(due, t.home.reviewDue, t.home.reviewDueNote, '/ui/memories'),
  ].filter((item) => item !== undefined)
  return (
    <Sheet title={t.home.needsYou}>
      <Loaded read={status}>
        {({ health: { checks } }) => {
          const faults = Object.entries(checks).filter(([, { reasons = [] }]) => reasons.length > 0)
          if (items.length + faults.length === 0)
            return <p className="faint">{t.home.nothingNeeded}</p>
          return (
            <ul className="thread">
              {items.map(({ href, text, note }) => (
                <li key={text} className="now">
                  <Link href={href}>{text}</Link>
                  <br />
                  <span className="faint">{note}</span>
                </li>
              ))}
              {faults.map(([domain, { reasons = [] }]) => (
                <li key={domain}>
                  <Link href="/ui/operations">
                    {t.home.reasons(t.running.domainNames[domain] ?? domain)}
                  </Link>
                  <br />
                  <span className="faint">
                    <PlainText text={reasons.join(', ')} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Sheet>
  )
}

function toItem(
  { data }: ReadState<CountReply>,
  describe: (value: number) => string,
  note: string,
  href: string,
) {
  const value = data?.items.length ?? 0
  return value === 0 ? undefined : { text: describe(value), note, href }
}
