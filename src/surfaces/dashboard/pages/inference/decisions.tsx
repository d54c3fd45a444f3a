import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { InferenceHistory } from '../../queries/running.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Pairs, Time } from '../../widgets/values.tsx'

type Call = InferenceHistory['events'][number]

/** Rows in the document. Each row links to the page of its call. */
const maxShown = 100

/** The newest calls, each with its model and outcome. */
export function Decisions() {
  const t = useText()
  const input = { query: { limit: maxShown } }
  const read = useRead<InferenceHistory>('GET /api/inference/history', input)
  return (
    <Sheet title={t.running.decisions} isFlush>
      <Loaded read={read}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty title={t.running.noDecisions} text={t.running.noDecisionsText} />
          ) : (
            <ul className="lines" aria-label={t.running.decisions} data-rows="">
              {events.map((call) => (
                <CallRow key={call.id} call={call} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function CallRow({ call }: { readonly call: Call }) {
  const t = useText()
  const format = useFormat()
  const { id, operation, finalTarget, selectedTarget, success, errorCode, durationMs } = call
  const tokens = (call.inputTokens ?? 0) + (call.outputTokens ?? 0)
  return (
    <li>
      <i className={success ? 'dot good' : 'dot bad'} aria-hidden="true" />
      <p>
        <Link href={toPath('inference', 'history', id)} data-row="">
          <Name text={operation.replaceAll('_', ' ')} />
        </Link>{' '}
        <Name text={finalTarget ?? selectedTarget ?? t.common.none} />{' '}
        {!success && (
          <span className="chip bad">
            <Name text={errorCode ?? t.inference.failed} />
          </span>
        )}
        <br />
        <span className="faint num">
          <Time at={call.timestamp} />
          {t.inference.decision(format.number(durationMs), format.number(tokens))}
        </span>
      </p>
    </li>
  )
}

/** One call, with its model and the reason for this model. */
export function DecisionPage({ id }: { readonly id: string }) {
  const t = useText()
  const input = { query: { id, limit: 1 } }
  const read = useRead<InferenceHistory>('GET /api/inference/history', input)
  const call = read.data?.events[0]
  const name = call?.operation.replaceAll('_', ' ') ?? t.running.decisions
  return (
    <Screen name={cleanName(name)} title={<Name text={name} />}>
      <p className="row wrap faint crumbs">
        <Link href="/ui/inference">{t.screens.inference}</Link>
      </p>
      <Loaded read={read}>
        {() =>
          call ? (
            <CallFacts call={call} />
          ) : (
            <Empty title={t.inference.noDecision} text={t.inference.noDecisionText} />
          )
        }
      </Loaded>
    </Screen>
  )
}

function CallFacts({ call }: { readonly call: Call }) {
  const t = useText()
  const format = useFormat()
  const { allowedCount, candidateCount, inputTokens, outputTokens } = call
  return (
    <div className="grid two">
      <Sheet title={t.inference.outcome}>
        <Pairs
          rows={[
            [t.inference.outcome, <Outcome key="outcome" call={call} />],
            [t.inference.answeredBy, toName(call.finalTarget)],
            [t.inference.duration, t.inference.milliseconds(format.number(call.durationMs))],
            [
              t.inference.tokens,
              `${format.number(inputTokens ?? undefined)} · ${format.number(outputTokens ?? undefined)}`,
            ],
            [t.memories.when, <Time key="at" at={call.timestamp} />],
            [t.inference.agent, toName(call.agentId)],
            [t.inference.surface, toName(call.surface)],
          ]}
        />
      </Sheet>
      <Sheet title={t.inference.why}>
        <Pairs
          rows={[
            [t.inference.policy, toName(call.policyId)],
            [t.inference.taskClass, toName(call.taskClass)],
            [
              t.inference.privacy,
              t.inference.privacies[call.privacy ?? ''] ?? toName(call.privacy),
            ],
            [
              t.inference.candidates,
              candidateCount !== undefined &&
                t.inference.candidatesOf(
                  format.number(allowedCount),
                  format.number(candidateCount),
                ),
            ],
            [t.inference.chosenTarget, toName(call.selectedTarget)],
            [t.inference.attempts, toName(call.attemptPath)],
            [t.inference.failedTargets, toName(call.failedTargets)],
          ]}
        />
      </Sheet>
    </div>
  )
}

function toName(text: string | null | undefined) {
  return text ? <Name text={text} /> : undefined
}

function Outcome({ call: { success, cancelled, errorCode } }: { readonly call: Call }) {
  const t = useText()
  if (cancelled) return <span className="chip warn">{t.inference.cancelled}</span>
  if (success) return <span className="chip good">{t.inference.succeeded}</span>
  return (
    <span className="chip bad">
      <Name text={errorCode ?? t.inference.failed} />
    </span>
  )
}
