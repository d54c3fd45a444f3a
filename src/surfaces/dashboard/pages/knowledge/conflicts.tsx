import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { Contradictions, ProposedConflicts } from '../../queries/knowledge.ts'
import { type ReadState, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'

/** Values that cannot all be true, side by side: waiting ones, and those in force. */
export function ConflictsView() {
  return (
    <div className="stack">
      <Contradicting />
      <Waiting />
    </div>
  )
}

function Contradicting() {
  const t = useText()
  const read = useRead<Contradictions>('GET /api/ontology/contradictions')
  return (
    <Conflicts
      title={t.knowledge.contradicting}
      read={read}
      toConflict={({ id, entityName, slot, content, otherContent, reason }) => ({
        id,
        entity: entityName,
        slot: slot.replaceAll('/', ' › '),
        sides: [
          { id: 'one', text: content },
          { id: 'other', text: otherContent },
        ],
        reason: t.knowledge.reasons[reason] ?? reason,
      })}
    />
  )
}

function Waiting() {
  const t = useText()
  const format = useFormat()
  const read = useRead<ProposedConflicts>('GET /api/ontology/proposals/conflicts')
  return (
    <Conflicts
      title={t.knowledge.waitingConflicts}
      read={read}
      toConflict={({ entity, aspect, groupKey, claimKey, values }) => ({
        id: [entity, aspect, groupKey, claimKey].join('/'),
        entity,
        slot: `${groupKey} › ${claimKey}`,
        sides: values.map(({ proposalId, value, confidence }) => ({
          id: proposalId,
          text: value,
          note: t.memories.sure(format.percent(confidence)),
          href: toPath('knowledge', 'proposals', proposalId),
        })),
      })}
    />
  )
}

interface Conflict {
  readonly id: string
  readonly entity: string
  readonly slot: string
  readonly sides: readonly Side[]
  readonly reason?: string
}

interface ConflictsProps<Item> {
  readonly title: string
  readonly read: ReadState<{ readonly items: readonly Item[] }>
  readonly toConflict: (item: Item) => Conflict
}

function Conflicts<Item>({ title, read, toConflict }: ConflictsProps<Item>) {
  const t = useText()
  return (
    <Sheet title={title} isFlush>
      <Loaded read={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="pad faint">{t.knowledge.noConflicts}</p>}
            <ul className="lines" aria-label={title}>
              {items.map(toConflict).map(({ id, entity, slot, sides, reason }) => (
                <li key={id}>
                  <i className="dot warn" aria-hidden="true" />
                  <div className="stack tight">
                    <p>
                      <Link href={toPath('knowledge', entity)}>
                        <Name text={entity} />
                      </Link>{' '}
                      <span className="path">
                        <Name text={slot} />
                      </span>
                    </p>
                    <Sides sides={sides} />
                    {reason !== undefined && <p className="faint">{reason}</p>}
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

interface Side {
  readonly id: string
  readonly text: string
  readonly note?: string
  readonly href?: string
}

function Sides({ sides }: { readonly sides: readonly Side[] }) {
  const t = useText()
  return (
    <div className="sides">
      {sides.map(({ id, text, note, href }) => (
        <blockquote key={id} className="quote">
          <PlainText text={text} />
          {note !== undefined && <p className="faint">{note}</p>}
          {href !== undefined && (
            <p>
              <Link href={href}>{t.knowledge.decide}</Link>
            </p>
          )}
        </blockquote>
      ))}
    </div>
  )
}
