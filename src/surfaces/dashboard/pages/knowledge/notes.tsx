import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import {
  type ClaimEvidence,
  type Evidence,
  type Slot,
  toCitation,
} from '../../queries/knowledge.ts'
import { useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { toPath } from '../../widgets/segments.ts'

const maxNotes = 40

/** The quotes behind the sentences of a page, with the same numbers. */
export function Notes({ slots }: { readonly slots: readonly Slot[] }) {
  const t = useText()
  if (slots.length === 0) return null
  return (
    <section className="stack tight">
      <h2>{t.knowledge.restsOn}</h2>
      <ol className="notes">
        {slots.slice(0, maxNotes).map((slot, index) => (
          <li key={slot.aspect + slot.group + slot.claim} id={`note-${index + 1}`}>
            <Note slot={slot} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Note({ slot: { entity, aspect, group, claim } }: { readonly slot: Slot }) {
  const read = useRead<ClaimEvidence>('GET /api/ontology/claims/evidence', {
    query: { entity, aspect, group, claim, status: 'active' },
  })
  return (
    <div>
      <Loaded read={read}>
        {({ items }) => <Citations evidence={items.flatMap((item) => item.evidence ?? [])} />}
      </Loaded>
    </div>
  )
}

/** Quotes with the place that they come from. */
export function Citations({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const t = useText()
  if (evidence.length === 0) return <p className="from">{t.knowledge.noQuote}</p>
  return evidence.map(toCitation).map(({ kind, id, quote }) => (
    <div key={kind + id + quote} className="citation">
      {quote !== '' && (
        <p className="quote">
          {'“'}
          <PlainText text={quote} />
          {'”'}
        </p>
      )}
      <p className="from">
        <Origin kind={kind} id={id} />
      </p>
    </div>
  ))
}

const screensOf: Readonly<Record<string, string>> = { memory: 'memories', transcript: 'sessions' }

function Origin({ kind, id }: { readonly kind: string; readonly id: string }) {
  const t = useText()
  const screen = screensOf[kind]
  const name = t.knowledge.kinds[kind] ?? kind
  if (kind === 'ontology_proposal')
    return <Link href={toPath('knowledge', 'proposals', id)}>{name}</Link>
  if (screen === undefined) return <Name text={`${name} ${id}`} />
  return (
    <Link href={toPath(screen, id)}>
      <Name text={kind === 'transcript' ? `${name} ${id}` : name} />
    </Link>
  )
}
