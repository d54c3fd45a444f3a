import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { LiveEvent } from '../../live/live.ts'
import { useLiveEvents } from '../../live/live-context.tsx'
import type { MemoryPage, MemoryRow, RecallReply, RecallRow } from '../../queries/memories.ts'
import { documentPart, toTags, toWords } from '../../queries/memories.ts'
import { type ReadState, useRead } from '../../queries/read.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { MemoryText, Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { type Filters, toListInput, toRecallInput } from './use-filters.ts'
import { WhyLine } from './why.tsx'

const pageSize = 100
/** The document has at most this many rows; older ones are found by search and filters. */
const maxRows = 200

interface ListProps {
  readonly filters: Filters
  readonly openId: string | undefined
  readonly suffix: string
  readonly selection: ReadonlySet<string> | undefined
  readonly onToggle: (id: string) => void
  readonly onDone: () => void
}

/** What a search found, or the newest memories without one. */
export function MemoryList(props: ListProps) {
  return props.filters.q ? <FoundList {...props} /> : <NewestList {...props} />
}

function FoundList(props: ListProps) {
  const t = useText()
  const format = useFormat()
  const read = useRead<RecallReply>('POST /api/memory/recall', toRecallInput(props.filters), {
    keepsPrevious: true,
  })
  const total = useRead<MemoryPage>('GET /api/memories', { query: { limit: 1 } })
  return (
    <Loaded read={read}>
      {({ results, method, meta }) => (
        <Rows
          {...props}
          rows={results}
          total={total.data?.stats.total}
          notes={[
            t.memories.methods[method] ?? method,
            ...(meta.timings ? [`${format.number(meta.timings.totalMs)} ms`] : []),
          ]}
        />
      )}
    </Loaded>
  )
}

function NewestList(props: ListProps) {
  const t = useText()
  const [limit, setLimit] = useState(pageSize)
  const input = toListInput(props.filters, limit)
  const read = useRead<MemoryPage>('GET /api/memories', input, { keepsPrevious: true })
  return (
    <>
      <NewButton read={read} />
      <Loaded read={read}>
        {({ memories, stats, total = stats.total }) => (
          <>
            <Rows {...props} rows={memories} total={total} notes={[]} />
            {memories.length === limit && limit < maxRows && (
              <p className="pad">
                <button type="button" className="button" onClick={() => setLimit(maxRows)}>
                  {t.memories.loadMore}
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** New memories are offered, so that the text in view does not move. */
function NewButton({ read }: { readonly read: ReadState<MemoryPage> }) {
  const t = useText()
  const [fresh, setFresh] = useState(0)
  const listen = useCallback(({ type }: LiveEvent) => {
    if (type === 'memory.saved') setFresh((value) => value + 1)
  }, [])
  useLiveEvents(listen)
  if (fresh === 0) return null
  return (
    <p className="new-rows">
      <button
        type="button"
        className="button"
        onClick={() => {
          setFresh(0)
          read.retry()
        }}
      >
        {t.memories.newOnes(fresh)}
      </button>
    </p>
  )
}

interface RowsProps extends ListProps {
  readonly rows: readonly (MemoryRow | RecallRow)[]
  readonly total: number | undefined
  readonly notes: readonly string[]
}

function Rows({ rows, total, notes, ...props }: RowsProps) {
  const t = useText()
  const format = useFormat()
  const { selection, filters, onDone } = props
  const shown = t.memories.of(format.number(rows.length), format.number(total))
  return (
    <>
      <p className="list-status faint num" role="status">
        {[shown, ...notes].join(' · ')}
      </p>
      {selection && <SelectionBar ids={[...selection]} rows={rows} onDone={onDone} />}
      {rows.length === 0 ? (
        <NothingHere filters={filters} />
      ) : (
        <ul aria-label={t.memories.list} data-rows="">
          {rows.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
        </ul>
      )}
    </>
  )
}

function NothingHere({ filters }: { readonly filters: Filters }) {
  const t = useText()
  const isFiltered = Object.keys(filters).length > 0
  return isFiltered ? (
    <Empty title={t.memories.nothingFound} text={t.memories.nothingFoundText}>
      <Link className="button" href="/ui/memories">
        {t.memories.clear}
      </Link>
    </Empty>
  ) : (
    <Empty title={t.memories.nothingHere} text={t.memories.nothingHereText}>
      <Link className="button main" href="/ui/memories?new=1" onClick={() => location.reload()}>
        {t.memories.remember}
      </Link>
    </Empty>
  )
}

interface RowProps extends ListProps {
  readonly row: MemoryRow | RecallRow
}

function Row({ row, openId, suffix, selection, onToggle, filters }: RowProps) {
  const t = useText()
  const isOpen = row.id === openId
  return (
    <li className={isOpen ? 'result open' : 'result'} aria-current={isOpen || undefined}>
      <div className="row top-aligned">
        {selection && (
          <input
            type="checkbox"
            aria-label={t.memories.selectOne(cleanName(row.content))}
            checked={selection.has(row.id)}
            onChange={() => onToggle(row.id)}
          />
        )}
        <Link
          className="memory-link cut"
          href={`/ui/memories/${encodeURIComponent(row.id)}${suffix}`}
          data-row={row.id}
        >
          <MemoryText text={row.content.slice(0, 600)} words={toWords(filters.q ?? '')} />
        </Link>
      </div>
      {'explain' in row && row.explain && (
        <WhyLine stages={row.explain.stages} confidence={row.confidence} />
      )}
      <RowFooter row={row} />
    </li>
  )
}

function RowFooter({ row }: { readonly row: MemoryRow | RecallRow }) {
  const t = useText()
  const isOutdated = 'outdated_by' in row && row.outdated_by !== undefined
  const isExternal = 'trust' in row && row.trust === 'external'
  return (
    <footer>
      <span className="chip">
        <Name text={t.memories.types[row.type] ?? row.type} />
      </span>
      {toTags(row.tags)
        .filter((tag) => tag !== row.type)
        .slice(0, 5)
        .map((tag) => (
          <span key={tag} className="chip">
            <Name text={tag} />
          </span>
        ))}
      {Boolean(row.pinned) && <span className="chip act">{t.memories.pinned}</span>}
      {isOutdated && <span className="chip warn">{t.memories.outdated}</span>}
      {isExternal && <span className="chip warn">{t.memories.external}</span>}
      {row.type !== documentPart && <Name text={row.who} />}
      <Time at={row.created_at} />
    </footer>
  )
}
