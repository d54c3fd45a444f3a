import { useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { isSingleKey } from '../../frame/single-key.ts'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { Contradictions, Proposal, ProposalList } from '../../queries/knowledge.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/time.tsx'
import { Citations } from './notes.tsx'

const maxProposals = 100

/** Changes of the graph that wait for a decision. `a` applies, `r` rejects the one in focus. */
export function Proposals({ openId }: { readonly openId: string | undefined }) {
  const t = useText()
  const [status, setStatus] = useState(openId === undefined ? 'pending' : 'all')
  const query = { limit: maxProposals, ...(status !== 'all' && { status }) }
  const read = useRead<ProposalList>('GET /api/ontology/proposals', { query })
  const conflicts = useRead<Contradictions>('GET /api/ontology/contradictions')
  return (
    <section className="sheet" aria-label={t.knowledge.proposals}>
      <div className="filters">
        <select
          className="button"
          aria-label={t.memories.state}
          value={status}
          onChange={({ target }) => setStatus(target.value)}
        >
          {['pending', 'applied', 'rejected', 'failed', 'all'].map((name) => (
            <option key={name} value={name}>
              {t.knowledge.statuses[name] ?? name}
            </option>
          ))}
        </select>
        {conflicts.data && conflicts.data.items.length > 0 && (
          <Link className="chip warn" href="/ui/knowledge/conflicts">
            {t.home.contradictions(conflicts.data.items.length)}
          </Link>
        )}
        <span className="push faint">{t.knowledge.keys}</span>
      </div>
      <Loaded read={read}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.knowledge.noProposals} text={t.knowledge.noProposalsText} />
          ) : (
            <ul aria-label={t.knowledge.proposals} data-rows="">
              {order(items, openId).map((proposal) => (
                <ProposalRow key={proposal.id} proposal={proposal} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** The proposal of the address comes first. */
function order(items: readonly Proposal[], openId: string | undefined): readonly Proposal[] {
  return items.toSorted((a, b) => Number(b.id === openId) - Number(a.id === openId))
}

function ProposalRow({ proposal }: { readonly proposal: Proposal }) {
  const t = useText()
  const format = useFormat()
  const { status, operation, payload, rationale, evidence, confidence, createdBy, createdAt } =
    proposal
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  const subject = text('entity') || text('name') || text('source_entity')
  const path = [text('aspect'), text('group_key'), text('claim_key')].filter((part) => part !== '')
  return (
    <li className="change" tabIndex={-1} data-row="" data-proposal={proposal.id}>
      <i className="dot lamp" aria-hidden="true" />
      <div className="body">
        <h2>
          {t.knowledge.operations[operation] ?? <Name text={operation} />} <Name text={subject} />
        </h2>
        {path.length > 0 && (
          <p className="path">
            <Name text={path.join(' › ')} />
          </p>
        )}
        <Diff after={text('value') || JSON.stringify(payload)} />
        {rationale !== '' && (
          <p className="faint">
            <PlainText text={rationale} />
          </p>
        )}
        <Citations evidence={evidence} />
        <p className="from">
          <Name text={createdBy ?? ''} /> <Time at={createdAt} />
        </p>
        <Decision proposal={proposal} />
      </div>
      <span className={status === 'pending' ? 'chip warn' : 'chip'}>
        {t.knowledge.statuses[status] ?? status} {format.percent(confidence)}
      </span>
    </li>
  )
}

function Decision({ proposal: { id, status } }: { readonly proposal: Proposal }) {
  const t = useText()
  const apply = useChange('POST /api/ontology/proposals/:id/apply')
  const reject = useChange('POST /api/ontology/proposals/:id/reject')
  const undo = useChange('POST /api/ontology/proposals/:id/undo')
  const takeBack = () => undo.run({ path: { id }, body: { reason: 'undone in the dashboard' } })
  const { run: runApply } = apply
  const { run: runReject } = reject
  const decide = useCallback(
    (key: string) => {
      if (key === 'a') void runApply({ path: { id }, body: {} })
      if (key === 'r') void runReject({ path: { id }, body: {} })
    },
    [id, runApply, runReject],
  )
  useDecisionKeys(id, status === 'pending', decide)
  if (status === 'applied')
    return (
      <p>
        <ActionButton label={t.common.undo} run={takeBack} done={t.common.undone} />
      </p>
    )
  if (status !== 'pending') return null
  return (
    <div className="row wrap">
      <ActionButton
        label={t.knowledge.apply}
        tone="main"
        run={() => apply.run({ path: { id }, body: {} })}
        done={t.knowledge.applied}
        undo={takeBack}
      />
      <ActionButton
        label={t.knowledge.reject}
        run={() => reject.run({ path: { id }, body: {} })}
        done={t.knowledge.rejected}
      />
    </div>
  )
}

function useDecisionKeys(id: string, isOpen: boolean, decide: (key: string) => void): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const onKey = (event: KeyboardEvent) => {
      const row = document.activeElement?.closest('[data-proposal]')
      if (row?.getAttribute('data-proposal') === id && isSingleKey(event)) decide(event.key)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [id, isOpen, decide])
}
