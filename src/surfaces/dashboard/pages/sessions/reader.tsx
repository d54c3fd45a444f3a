import { Fragment, useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { ReverieError } from '../../queries/api.ts'
import { type ReadState, useRead } from '../../queries/read.ts'
import {
  type BlackBox,
  maxLabel,
  type Searches,
  type Transcript,
  type Turn,
  toTurns,
} from '../../queries/sessions.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'
import { listPlaced, type Mark, placeMarks } from './marks.ts'

const pageSize = 200
const maxSearches = 500
/** A mark with more memories is closed at first. */
const maxOpen = 3

interface ReaderProps {
  readonly id: string
}

/** The transcript, with a mark at each known turn that recalled memories. */
export function Reader({ id }: ReaderProps) {
  const t = useText()
  const path = { key: id }
  const read = useRead<Transcript>('GET /api/sessions/:key/transcript', { path })
  const box = useRead<BlackBox>('GET /api/sessions/:key/blackbox', { path })
  const query = { sessionKey: id, limit: maxSearches }
  const searches = useRead<Searches>('GET /api/telemetry/memory-search', { query })
  if (read.error instanceof ReverieError && read.error.status === 404)
    return (
      <div className="grid two">
        <Empty title={t.sessions.noTranscript} text={t.sessions.noTranscriptText} />
        <InView box={box} marks={[]} />
      </div>
    )
  const turns = toTurns(read.data?.content ?? '')
  const marks = placeMarks(turns, box.data?.events ?? [], searches.data?.items ?? [])
  return (
    <div className="grid two">
      <section className="sheet" aria-label={t.sessions.transcript}>
        <Loaded read={read}>{() => <Turns turns={turns} marks={marks} />}</Loaded>
      </section>
      <InView box={box} marks={marks} />
    </div>
  )
}

interface TurnsProps {
  readonly turns: readonly Turn[]
  readonly marks: readonly Mark[]
}

function Turns({ turns, marks }: TurnsProps) {
  const t = useText()
  const [shown, setShown] = useState(pageSize)
  const at = (line: number | undefined) => marks.filter((mark) => mark.line === line)
  return (
    <>
      <Marks marks={at(undefined)} />
      {turns.slice(0, shown).map(({ role, text, line }) => (
        <Fragment key={line}>
          <article className={`turn ${role.toLowerCase()}`} aria-label={role}>
            <h2 className="faint">{t.sessions.roles[role]}</h2>
            <p className="prewrap">
              <PlainText text={text} />
            </p>
          </article>
          <Marks marks={at(line)} />
        </Fragment>
      ))}
      {turns.length > shown && (
        <p className="pad">
          <button type="button" className="button" onClick={() => setShown(shown + pageSize)}>
            {t.common.more}
          </button>
        </p>
      )}
    </>
  )
}

function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  const t = useText()
  return marks.map(({ kind, at, items }) => (
    <aside key={kind} className="recall-mark" aria-label={t.sessions.marks[kind]}>
      <details open={items.length <= maxOpen}>
        <summary>
          {t.sessions.marks[kind]} · <span className="num">{t.sessions.recalls(items.length)}</span>
          {' · '}
          <Time at={at} />
        </summary>
        <ul>
          {items.map(({ id, memoryId, text }) => (
            <li key={id}>
              {memoryId === undefined ? (
                <PlainText text={text} />
              ) : (
                <Link className="read" href={toPath('memories', memoryId)}>
                  <PlainText text={text} />
                </Link>
              )}
            </li>
          ))}
        </ul>
      </details>
    </aside>
  ))
}

interface InViewProps {
  readonly box: ReadState<BlackBox>
  readonly marks: readonly Mark[]
}

/** The memories that the session was shown, each once. */
function InView({ box, marks }: InViewProps) {
  const t = useText()
  const placed = listPlaced(marks)
  return (
    <Sheet title={t.sessions.inView} isFlush>
      <Loaded read={box}>
        {({ events }) => {
          const refs = events.flatMap(({ refs, at }) => refs.map((ref) => ({ ...ref, at })))
          const memories = [...new Map(refs.map((ref) => [ref.id, ref])).values()].filter(
            ({ kind }) => kind === 'memory',
          )
          if (memories.length === 0) return <p className="pad faint">{t.sessions.nothingInView}</p>
          return (
            <>
              <ul className="lines">
                {memories.map((memory) => (
                  <li key={memory.id}>
                    <i className="dot lamp" aria-hidden="true" />
                    <Link className="read" href={toPath('memories', memory.id)}>
                      <PlainText text={memory.label} cutAt={maxLabel} />
                    </Link>
                    <Time at={memory.at} className="when" />
                  </li>
                ))}
              </ul>
              {memories.some(({ id }) => !placed.has(id)) && (
                <p className="pad faint">{t.sessions.noPlace}</p>
              )}
            </>
          )
        }}
      </Loaded>
    </Sheet>
  )
}
