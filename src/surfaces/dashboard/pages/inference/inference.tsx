import { useFormat, useText } from '../../i18n/language.tsx'
import type { UsageReply } from '../../queries/home.ts'
import { useRead } from '../../queries/read.ts'
import type { InferenceHistory } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'
import { Explain } from './explain.tsx'
import { Logins } from './logins.tsx'
import { Status } from './status.tsx'

export function Page() {
  const t = useText()
  return (
    <Screen name={t.screens.inference} lede={t.running.inferenceLede}>
      <div className="grid two">
        <Decisions />
        <div className="stack">
          <Status />
          <Usage />
          <Explain />
          <Logins />
        </div>
      </div>
    </Screen>
  )
}

function Usage() {
  const t = useText()
  const format = useFormat()
  const read = useRead<UsageReply>('GET /api/inference/usage')
  return (
    <Sheet title={t.running.usage}>
      <Loaded read={read}>
        {({ totals: { calls, cost } }) => (
          <Pairs
            rows={[
              [t.running.modelCalls, format.number(calls)],
              [t.running.cost, format.money(cost)],
            ]}
          />
        )}
      </Loaded>
    </Sheet>
  )
}

function Decisions() {
  const t = useText()
  const read = useRead<InferenceHistory>('GET /api/inference/history')
  return (
    <Sheet title={t.running.decisions} isFlush>
      <Loaded read={read}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty title={t.running.noDecisions} text={t.running.noDecisionsText} />
          ) : (
            <ul className="lines">
              {events.map((event) => (
                <li key={event.id}>
                  <details className="fold">
                    <summary>
                      <Decision event={event} />
                    </summary>
                    <pre className="code">
                      <PlainText text={JSON.stringify(event, undefined, 2)} />
                    </pre>
                  </details>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function Decision({ event }: { readonly event: InferenceHistory['events'][number] }) {
  const t = useText()
  const format = useFormat()
  const { timestamp, operation, finalTarget, selectedTarget, success, errorCode } = event
  const tokens = (event.inputTokens ?? 0) + (event.outputTokens ?? 0)
  return (
    <>
      <b>
        <Name text={operation.replaceAll('_', ' ')} />
      </b>{' '}
      <Name text={finalTarget ?? selectedTarget ?? t.common.none} />{' '}
      {!success && (
        <span className="chip bad">
          <Name text={errorCode ?? t.inference.failed} />
        </span>
      )}
      <span className="faint num decision">
        <Time at={timestamp} />
        {t.inference.decision(format.number(event.durationMs), format.number(tokens))}
      </span>
    </>
  )
}
