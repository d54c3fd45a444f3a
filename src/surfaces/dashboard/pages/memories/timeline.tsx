import { useFormat, useText } from '../../i18n/language.tsx'
import type { TimelineReply } from '../../queries/memories.ts'
import { useRead } from '../../queries/read.ts'
import { Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'

/** What was remembered and changed, by period. */
export function Timeline() {
  const t = useText()
  const format = useFormat()
  const read = useRead<TimelineReply>('GET /api/memory/timeline')
  return (
    <Loaded read={read}>
      {({ buckets }) => (
        <ul className="lines">
          {buckets.map((bucket) => (
            <li key={bucket.rangeKey}>
              <i className="dot lamp" aria-hidden="true" />
              <div className="stack tight">
                <p>
                  <b>{t.memories.buckets[bucket.rangeKey] ?? bucket.rangeKey}</b>{' '}
                  <span className="num">{format.number(bucket.memories)}</span>
                </p>
                <p className="row wrap">
                  {bucket.types.map(({ name, count }) => (
                    <span key={name} className="chip">
                      <Name text={name} /> <span className="num">{format.number(count)}</span>
                    </span>
                  ))}
                </p>
                <p className="faint">
                  {t.memories.changes(bucket.historyEvents)}
                  {bucket.averageImportance !== null &&
                    ` · ${t.memories.averageImportance} ${format.number(bucket.averageImportance)}`}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
