import { useState } from 'react'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { Operation, PassDetail, Trace } from '../../queries/dreaming.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Citations } from '../knowledge/notes.tsx'

/** One pass: each change with the words that it rests on; applied and undone as one. */
export function PassPage({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<PassDetail>('GET /api/dream/passes/:passId', { path: { passId: id } })
  return (
    <section className="sheet" aria-label={t.dreaming.pass}>
      <Loaded read={read}>{(detail) => <Changes detail={detail} />}</Loaded>
    </section>
  )
}

function Changes({ detail: { pass, operations } }: { readonly detail: PassDetail }) {
  const t = useText()
  const format = useFormat()
  const planned = operations.filter(({ state }) => state === 'planned')
  const applied = operations.filter(({ state }) => state === 'applied')
  const [omitted, setOmitted] = useState<ReadonlySet<number>>(new Set())
  const chosen = planned.map(({ position }) => position).filter((each) => !omitted.has(each))
  const toggle = (position: number) => {
    const next = new Set(omitted)
    if (!next.delete(position)) next.add(position)
    setOmitted(next)
  }
  return (
    <>
      <div className="over row wrap">
        <h2 className="part">{t.dreaming.changes(operations.length)}</h2>
        <span className="faint">{format.moment(pass.startedAt)}</span>
        <span className="push row wrap">
          <span className="chip">{t.dreaming.engines[pass.engine] ?? pass.engine}</span>
          <span className="chip">{t.dreaming.tokens(format.number(pass.tokensConsumed))}</span>
          <span className="chip">{format.money(pass.cost)}</span>
        </span>
      </div>
      {pass.error !== null && (
        <p className="pad">
          <PlainText text={pass.error} />
        </p>
      )}
      {pass.stoppedBy !== null && (
        <p className="pad faint">
          {t.dreaming.stops[pass.stoppedBy] ?? <Name text={t.dreaming.stoppedAt(pass.stoppedBy)} />}
        </p>
      )}
      {operations.map((operation) => (
        <ChangeRow
          key={operation.position}
          operation={operation}
          isChosen={!omitted.has(operation.position)}
          onToggle={() => toggle(operation.position)}
        />
      ))}
      <Decisions id={pass.id} chosen={chosen} planned={planned.length} applied={applied.length} />
      {pass.engine !== 'rules' && <TraceFold id={pass.id} />}
    </>
  )
}

interface ChangeProps {
  readonly operation: Operation
  readonly isChosen: boolean
  readonly onToggle: () => void
}

const stateTones: Readonly<Record<string, string>> = { applied: 'good', failed: 'bad', undone: '' }

function ChangeRow({ operation, isChosen, onToggle }: ChangeProps) {
  const t = useText()
  const { position, subject, slot, before, after, evidence, state, reason, error } = operation
  const isPlanned = state === 'planned'
  return (
    <article className="change">
      {isPlanned ? (
        <input type="checkbox" id={`change-${position}`} checked={isChosen} onChange={onToggle} />
      ) : (
        <i className="dot" aria-hidden="true" />
      )}
      <div className="body">
        <h3>
          <label htmlFor={`change-${position}`}>
            {t.knowledge.operations[operation.operation] ?? <Name text={operation.operation} />}{' '}
            <Name text={subject} />
          </label>
        </h3>
        {slot !== null && (
          <p className="path">
            <b>
              <Name text={subject} />
            </b>
            {' › '}
            <Name text={slot.replaceAll(' · ', ' › ').replaceAll('_', ' ')} />
          </p>
        )}
        <Diff before={before ?? undefined} after={after ?? undefined} />
        <Citations evidence={evidence} />
        <p className="faint">
          <PlainText text={error ?? reason ?? ''} />
        </p>
      </div>
      <span className={`chip ${isPlanned ? 'warn' : (stateTones[state] ?? '')}`}>
        {isPlanned ? t.dreaming.quotes(evidence.length) : (t.dreaming.changeStates[state] ?? state)}
      </span>
    </article>
  )
}

interface DecisionsProps {
  readonly id: string
  readonly chosen: readonly number[]
  readonly planned: number
  readonly applied: number
}

function Decisions({ id, chosen, planned, applied }: DecisionsProps) {
  const t = useText()
  const apply = useChange('POST /api/dream/passes/:passId/apply')
  const discard = useChange('POST /api/dream/passes/:passId/discard')
  const undo = useChange('POST /api/dream/passes/:passId/undo')
  const path = { passId: id }
  const isAll = chosen.length === planned
  const takeBack = () => undo.run({ path, body: { reason: 'undone in the dashboard' } })
  if (planned + applied === 0) return null
  return (
    <div className="bottom">
      {planned > 0 && (
        <>
          <ActionButton
            label={t.dreaming.apply}
            tone="main"
            isDisabled={chosen.length === 0}
            run={() => apply.run({ path, body: isAll ? {} : { only: chosen } })}
            done={t.knowledge.applied}
            undo={takeBack}
          />
          <ConfirmButton
            label={t.dreaming.discard}
            title={t.dreaming.discardTitle}
            confirm={t.dreaming.discard}
            run={() => discard.run({ path, body: {} })}
            done={t.dreaming.discarded}
          >
            <p>{t.dreaming.discardText(planned)}</p>
          </ConfirmButton>
          <span className="faint">{t.dreaming.chosen(chosen.length, planned)}</span>
        </>
      )}
      {applied > 0 && (
        <ConfirmButton
          label={t.common.undo}
          title={t.dreaming.undoTitle}
          confirm={t.dreaming.undoConfirm}
          run={takeBack}
          done={t.common.undone}
        >
          <p>{t.dreaming.undoText(applied)}</p>
        </ConfirmButton>
      )}
    </div>
  )
}

/** The tool calls of a model in this pass. */
function TraceFold({ id }: { readonly id: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const read = useRead<Trace>(
    'GET /api/dream/passes/:passId/tools',
    { path: { passId: id } },
    { isEnabled: isOpen },
  )
  return (
    <details className="fold pad" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.dreaming.trace}</summary>
      {isOpen && (
        <Loaded read={read}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="faint">{t.dreaming.noTrace}</p>
            ) : (
              <ol className="thread">
                {items.map((call) => (
                  <ToolCall key={call.id} call={call} />
                ))}
              </ol>
            )
          }
        </Loaded>
      )}
    </details>
  )
}

function ToolCall({ call }: { readonly call: Trace['items'][number] }) {
  const t = useText()
  const { toolName, success, input, output } = call
  return (
    <li>
      <code className="mono">
        <Name text={toolName} />
      </code>{' '}
      <span className={success ? 'chip good' : 'chip bad'}>
        {success ? t.running.done : t.knowledge.statuses['failed']}
      </span>
      <details className="fold">
        <summary>{t.memories.details}</summary>
        <pre className="code">
          <PlainText text={JSON.stringify({ input, output }, undefined, 2)} />
        </pre>
      </details>
    </li>
  )
}
