import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { InferenceStatus } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'

/** The targets with their state, and the budgets. */
export function Status() {
  const t = useText()
  const read = useRead<InferenceStatus>('GET /api/inference/status')
  return (
    <Sheet title={t.running.models}>
      <Loaded read={read}>
        {(status) => (
          <div className="stack tight">
            <Pairs
              rows={[
                [t.memories.state, status.enabled ? t.running.on : t.running.off],
                [
                  t.running.defaultPolicy,
                  status.defaultPolicy && <Name key="policy" text={status.defaultPolicy} />,
                ],
                [t.running.policyNames, <Name key="names" text={status.policies.join(', ')} />],
              ]}
            />
            <Targets status={status} />
            <Budgets budgets={status.budgets ?? []} />
            {status.configIssues.map(({ ref, field, message }) => (
              <p key={ref + field + message} className="notice warn">
                <Name text={`${ref} ${field}`} /> <PlainText text={message} />
              </p>
            ))}
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

const tones: Readonly<Record<string, string>> = {
  healthy: 'good',
  degraded: 'warn',
  blocked: 'bad',
  ok: 'good',
  near: 'warn',
  stopped: 'bad',
}

function Targets({ status }: { readonly status: InferenceStatus }) {
  const t = useText()
  const states = status.runtimeSnapshot?.targets ?? {}
  if (status.targetRefs.length === 0) return null
  return (
    <section aria-label={t.running.targets}>
      <h3>{t.running.targets}</h3>
      <ul className="lines">
        {status.targetRefs.map((ref) => {
          const state = states[ref]
          return (
            <li key={ref}>
              <i className={`dot ${tones[state?.health ?? ''] ?? ''}`} aria-hidden="true" />
              <p>
                <Name text={ref} />{' '}
                <span className="chip">
                  {t.inference.accounts[state?.accountState ?? 'unknown'] ?? state?.accountState}
                </span>
                {state?.unavailableReason !== undefined && (
                  <>
                    <br />
                    <span className="faint">
                      <PlainText text={state.unavailableReason} />
                    </span>
                  </>
                )}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Budgets({ budgets }: { readonly budgets: NonNullable<InferenceStatus['budgets']> }) {
  const t = useText()
  const format = useFormat()
  if (budgets.length === 0) return null
  return (
    <section aria-label={t.inference.budgets}>
      <h3>{t.inference.budgets}</h3>
      <ul className="lines">
        {budgets.map(({ id, used, limits, state, resetsAt }) => (
          <li key={id}>
            <i className={`dot ${tones[state] ?? ''}`} aria-hidden="true" />
            <p>
              <Name text={id} />
              <br />
              <span className="faint">
                {limits.cost !== null &&
                  t.inference.of(format.money(used.cost), format.money(limits.cost))}{' '}
                {limits.tokens !== null &&
                  t.inference.tokensOf(format.number(used.tokens), format.number(limits.tokens))}
              </span>
            </p>
            <Time at={resetsAt} className="when" />
          </li>
        ))}
      </ul>
    </section>
  )
}
