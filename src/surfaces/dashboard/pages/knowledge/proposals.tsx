import { type KeyboardEvent, useState } from 'react'
import { Link } from 'wouter'
import { isSingleKey } from '../../host.ts'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { Contradictions, Proposal, ProposalList } from '../../queries/knowledge.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Empty } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'
import { describeProposal } from './describe-proposal.ts'
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
        <span className="push faint keys-hint">{t.knowledge.keys}</span>
      </div>
      <Loaded read={read}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.knowledge.noProposals} text={t.knowledge.noProposalsText} />
          ) : (
            <ul aria-label={t.knowledge.proposals} data-rows="" onKeyDown={decideByKey}>
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

const decisionKeys = ['a', 'r']

/** Presses the button of the proposal in focus; the focus goes to its neighbour. */
function decideByKey({ nativeEvent, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const at = decisionKeys.indexOf(nativeEvent.key)
  const row = document.activeElement?.closest<HTMLElement>('[data-proposal]')
  if (at === -1 || !row || !isSingleKey(nativeEvent)) return
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-proposal]')]
  const index = rows.indexOf(row)
  row.querySelectorAll<HTMLElement>('[data-decision] .button')[at]?.click()
  const next = rows[index + 1] ?? rows[index - 1]
  next?.focus()
}

/** The proposal of the address comes first. */
function order(items: readonly Proposal[], openId: string | undefined): readonly Proposal[] {
  return items.toSorted((a, b) => Number(b.id === openId) - Number(a.id === openId))
}

function ProposalRow({ proposal }: { readonly proposal: Proposal }) {
  const t = useText()
  const format = useFormat()
  const { status, operation, rationale, evidence, confidence, createdBy, createdAt } = proposal
  const { subject, path, before, after } = describeProposal(proposal)
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
        {(before ?? after) !== undefined && <Diff before={before} after={after} />}
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
        {t.knowledge.statuses[status] ?? status} · {t.memories.sure(format.percent(confidence))}
      </span>
    </li>
  )
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

function Decision({ proposal: { id, status } }: { readonly proposal: Proposal }) {
  const t = useText()
  const apply = useChange('POST /api/ontology/proposals/:id/apply')
  const reject = useChange('POST /api/ontology/proposals/:id/reject')
  const undo = useChange('POST /api/ontology/proposals/:id/undo')
  const notify = useNotify()
  /** A proposal that fails leaves the list, so its fault is said in the status region. */
  const decide = async (change: typeof apply) => {
    try {
      await change.run({ path: { id }, body: {} })
    } catch (error) {
      notify({ text: toMessage(error) })
      throw error
    }
  }
  const takeBack = () => undo.run({ path: { id }, body: { reason: 'undone in the dashboard' } })
  if (status === 'applied')
    return (
      <p>
        <ActionButton label={t.common.undo} run={takeBack} done={t.common.undone} />
      </p>
    )
  if (status !== 'pending') return null
  return (
    <div className="row wrap" data-decision={id}>
      <ActionButton
        label={t.knowledge.apply}
        tone="main"
        run={() => decide(apply)}
        done={t.knowledge.applied}
        undo={takeBack}
      />
      <ActionButton
        label={t.knowledge.reject}
        run={() => decide(reject)}
        done={t.knowledge.rejected}
      />
    </div>
  )
}
