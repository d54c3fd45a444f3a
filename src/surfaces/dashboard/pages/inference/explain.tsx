import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange } from '../../queries/read.ts'
import type { RouteDecision } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Field, Sheet } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

const operations = [
  'default',
  'interactive',
  'tool_planning',
  'code_reasoning',
  'memory_extraction',
  'session_synthesis',
  'aggregate_recall',
  'widget_generation',
  'repair',
  'os_agent',
]
const privacies = ['remote_ok', 'restricted_remote', 'local_only']

/** Which model a request would get, and why. No model is called. */
export function Explain() {
  const t = useText()
  const [operation, setOperation] = useState('default')
  const [privacy, setPrivacy] = useState('remote_ok')
  const [decision, setDecision] = useState<RouteDecision>()
  const explain = useChange<RouteDecision>('POST /api/inference/explain')
  const { run, failure, isRunning } = useRun(async () => {
    setDecision(undefined)
    setDecision(await explain.run({ body: { operation, privacy } }))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  if (explain.isMissing) return null
  return (
    <Sheet title={t.inference.explain}>
      <form className="stack tight" onSubmit={submit}>
        <Choice
          label={t.inference.operation}
          names={operations}
          value={operation}
          onChange={setOperation}
        />
        <Choice
          label={t.inference.privacy}
          names={privacies}
          words={t.inference.privacies}
          value={privacy}
          onChange={setPrivacy}
        />
        <p>
          <button type="submit" className="button" disabled={isRunning}>
            {t.inference.tryRoute}
          </button>
        </p>
        {failure}
      </form>
      {decision && <Decision decision={decision} />}
    </Sheet>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly names: readonly string[]
  readonly words?: Readonly<Record<string, string>>
  readonly value: string
  readonly onChange: (value: string) => void
}

function Choice({ label, names, words = {}, value, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {words[name] ?? name.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** The chosen model and each candidate, with what speaks for and against it. */
function Decision({ decision }: { readonly decision: RouteDecision }) {
  const t = useText()
  const { targetRef, policyId, trace } = decision
  return (
    <section className="stack tight" aria-label={t.inference.chosen}>
      <p>
        {t.inference.chosen}{' '}
        <b>
          <Name text={targetRef} />
        </b>{' '}
        <span className="faint">
          {t.inference.byPolicy} <Name text={policyId} />
        </span>
      </p>
      <ol className="thread">
        {trace.candidates.map((candidate) => (
          <li key={candidate.targetRef} className={candidate.allowed ? 'now' : undefined}>
            <Name text={candidate.targetRef} />{' '}
            {!candidate.allowed && <span className="chip warn">{t.inference.blocked}</span>}
            <br />
            <span className="faint">
              <PlainText text={[...candidate.blockedBy, ...candidate.reasons].join(' · ')} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
