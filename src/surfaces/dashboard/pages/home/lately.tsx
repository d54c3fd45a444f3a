import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { MemoryPage, MemoryRow } from '../../queries/memories.ts'
import { documentPart } from '../../queries/memories.ts'
import { useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'
import type { Day, Recall } from './use-day.ts'

const maxItems = 7
const maxLength = 140

/** The newest memories and recalls, in the order of time. */
export function Lately({ day }: { readonly day: Day }) {
  const t = useText()
  const read = useRead<MemoryPage>('GET /api/memories', { query: { limit: maxItems } })
  return (
    <Sheet
      title={t.home.lately}
      aside={<Link href="/ui/memories">{t.home.allMemories}</Link>}
      isFlush
    >
      <Loaded read={read}>
        {({ memories }) => (
          <ul className="lines">
            {merge(memories, day.recalls).map((item) =>
              'content' in item ? (
                <MemoryItem key={item.id} memory={item} />
              ) : (
                <RecallItem key={item.id} recall={item} />
              ),
            )}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}

function merge(memories: readonly MemoryRow[], recalls: readonly Recall[]) {
  const timeOf = (item: MemoryRow | Recall) => ('content' in item ? item.created_at : item.at)
  return [...memories, ...recalls.slice(0, 3)]
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, maxItems)
}

function MemoryItem({ memory }: { readonly memory: MemoryRow }) {
  const t = useText()
  const { id, content, who, type, created_at } = memory
  return (
    <li>
      <i className="dot lamp" aria-hidden="true" />
      <p>
        {t.home.remembered}{' '}
        <Link className="read" href={`/ui/memories/${encodeURIComponent(id)}`}>
          <PlainText text={content.slice(0, maxLength)} />
          {content.length > maxLength && '…'}
        </Link>
        <br />
        <span className="faint">
          {type === documentPart ? t.home.fromDocument : <Name text={t.home.by(who)} />}
        </span>
      </p>
      <Time at={created_at} className="when" />
    </li>
  )
}

function RecallItem({ recall: { found, latencyMs, at } }: { readonly recall: Recall }) {
  const t = useText()
  const format = useFormat()
  return (
    <li>
      <i className="dot act" aria-hidden="true" />
      <p>{found > 0 ? t.home.recalled(found, format.number(latencyMs)) : t.home.recalledNothing}</p>
      <Time at={at} className="when" />
    </li>
  )
}
