import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import {
  documentPart,
  type HistoryReply,
  type LineageReply,
  type Memory,
  type SimilarReply,
} from '../../queries/memories.ts'
import { useRead, useSimilar } from '../../queries/read.ts'
import { MemoryText, Name, PlainText } from '../../text/plain-text.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'

/** The line of a memory: what it replaced, what replaced it, and who wrote it. */
export function Origin({ memory }: { readonly memory: Memory }) {
  const t = useText()
  const { id } = memory
  const read = useRead<LineageReply>('GET /api/memory/:id/lineage', { path: { id } })
  return (
    <div>
      <h2 className="part">{t.memories.origin}</h2>
      <Loaded read={read}>
        {({ lineage }) => (
          <ol className="thread">
            <Source memory={memory} />
            {lineage.map((entry, index) => (
              <Version
                key={entry.id}
                entry={entry}
                before={lineage[index + 1]?.content}
                isShown={entry.id === id}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </div>
  )
}

function Source({ memory }: { readonly memory: Memory }) {
  const t = useText()
  const { session_id: session, source_path: path, project } = memory
  return (
    <li>
      {memory.type === documentPart ? (
        <Link href={toPath('documents', memory.who)}>{t.memories.fromDocument}</Link>
      ) : (
        <>
          {t.memories.writtenBy} <Name text={memory.who} />
        </>
      )}{' '}
      <Time at={memory.created_at} />
      {session !== null && (
        <p className="from">
          <Link href={`/ui/sessions/${encodeURIComponent(session)}`}>{t.memories.fromSession}</Link>
        </p>
      )}
      {path !== null && (
        <p className="from">
          {t.memories.fromSource} <Name text={path} />
        </p>
      )}
      {project !== null && project !== undefined && (
        <p className="from">
          {t.memories.project} <Name text={project} />
        </p>
      )}
    </li>
  )
}

interface VersionProps {
  readonly entry: LineageReply['lineage'][number]
  readonly before: string | undefined
  readonly isShown: boolean
}

function Version({ entry, before, isShown }: VersionProps) {
  const t = useText()
  const isInForce = entry.supersededAt === null
  return (
    <li className={isInForce ? 'now' : undefined}>
      <b>{isInForce ? t.memories.inForce : t.memories.supersededMark}</b>{' '}
      <span className="who">{t.memories.since}</span> <Time at={entry.createdAt} />
      {before === undefined ? (
        !isShown && (
          <p>
            <MemoryText text={entry.content} />
          </p>
        )
      ) : (
        <Diff before={before} after={entry.content} />
      )}
      {entry.supersededReason !== null && (
        <p className="from">
          <PlainText text={entry.supersededReason} />
        </p>
      )}
      {!isShown && (
        <p>
          <Link href={`/ui/memories/${encodeURIComponent(entry.id)}`}>{t.memories.memory}</Link>
        </p>
      )}
    </li>
  )
}

export function History({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<HistoryReply>('GET /api/memory/:id/history', { path: { id } })
  return (
    <div>
      <h2 className="part">{t.memories.history}</h2>
      <Loaded read={read}>
        {({ history }) => (
          <ol className="thread">
            {history.map(({ id: event, event: name, changedBy, reason, createdAt }) => (
              <li key={event}>
                {t.memories.events[name] ?? name} <Time at={createdAt} />{' '}
                <span className="who">
                  <Name text={changedBy} />
                </span>
                {reason !== null && (
                  <p className="from">
                    <PlainText text={reason} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </div>
  )
}

const maxSimilar = 5
/** A smaller score is shown as 0 %. */
const minScore = 0.01

/** Without a vector the service would refuse the question. */
export function Similar({ memory: { id, embedding_model } }: { readonly memory: Memory }) {
  const t = useText()
  return (
    <div>
      <h2 className="part">{t.memories.similar}</h2>
      {embedding_model === null ? (
        <p className="faint">{t.memories.noVector}</p>
      ) : (
        <SimilarList id={id} />
      )}
    </div>
  )
}

function SimilarList({ id }: { readonly id: string }) {
  const t = useText()
  const format = useFormat()
  const read = useSimilar<SimilarReply>(id)
  return (
    <Loaded read={read}>
      {({ results }) =>
        results.every(({ score }) => score < minScore) ? (
          <p className="faint">{t.memories.noSimilar}</p>
        ) : (
          <ul className="similar">
            {results
              .filter(({ score }) => score >= minScore)
              .slice(0, maxSimilar)
              .map((row) => (
                <li key={row.id} className="row top-aligned">
                  <Link href={`/ui/memories/${encodeURIComponent(row.id)}`}>
                    <PlainText text={row.content.slice(0, 240)} />
                  </Link>
                  <span className="push faint num">{format.percent(row.score)}</span>
                </li>
              ))}
          </ul>
        )
      }
    </Loaded>
  )
}
