import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { Contradictions, ProposedConflicts } from '../../queries/knowledge.ts'
import { useRead } from '../../queries/read.ts'
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
    <Sheet title={t.knowledge.contradicting} isFlush>
      <Loaded read={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="pad faint">{t.knowledge.noConflicts}</p>}
            <ul className="lines" aria-label={t.knowledge.contradicting}>
              {items.map(({ id, entityName, slot, content, otherContent, reason }) => (
                <li key={id}>
                  <i className="dot warn" aria-hidden="true" />
                  <div className="stack tight">
                    <Subject entity={entityName} slot={slot} />
                    <Sides
                      sides={[
                        { id: 'one', text: content },
                        { id: 'other', text: otherContent },
                      ]}
                    />
                    <p className="faint">{t.knowledge.reasons[reason] ?? reason}</p>
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

function Waiting() {
  const t = useText()
  const format = useFormat()
  const read = useRead<ProposedConflicts>('GET /api/ontology/proposals/conflicts')
  return (
    <Sheet title={t.knowledge.waitingConflicts} isFlush>
      <Loaded read={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="pad faint">{t.knowledge.noConflicts}</p>}
            <ul className="lines" aria-label={t.knowledge.waitingConflicts}>
              {items.map(({ entity, aspect, groupKey, claimKey, values }) => (
                <li key={[entity, aspect, groupKey, claimKey].join('/')}>
                  <i className="dot warn" aria-hidden="true" />
                  <div className="stack tight">
                    <Subject entity={entity} slot={`${groupKey}/${claimKey}`} />
                    <Sides
                      sides={values.map(({ proposalId, value, confidence }) => ({
                        id: proposalId,
                        text: value,
                        note: t.memories.sure(format.percent(confidence)),
                        href: toPath('knowledge', 'proposals', proposalId),
                      }))}
                    />
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

function Subject({ entity, slot }: { readonly entity: string; readonly slot: string }) {
  return (
    <p>
      <Link href={toPath('knowledge', entity)}>
        <Name text={entity} />
      </Link>{' '}
      <span className="path">
        <Name text={slot} />
      </span>
    </p>
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
