import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange } from '../../queries/read.ts'
import type { Catalogue } from '../../queries/running.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { ForeignLink } from '../../text/link.tsx'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { Skeleton } from '../../widgets/loaded.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { followLogin, type LoginStep } from './follow-login.ts'

interface LoginProps {
  readonly provider: Catalogue['oauthProviders'][number]
  readonly onClose: () => void
}

/** One login, step by step as the provider asks for them. */
export function LoginDialog({ provider: { id, name }, onClose }: LoginProps) {
  const t = useText()
  const queries = useQueryClient()
  const [steps, setSteps] = useState<readonly LoginStep[]>([])
  useEffect(() => {
    const stopping = new AbortController()
    const add = (step: LoginStep) => setSteps((previous) => [...previous, step])
    void followLogin(id, add, stopping.signal).then(() => queries.invalidateQueries())
    return () => stopping.abort()
  }, [id, queries])
  const session = steps.find(({ type }) => type === 'session')?.sessionId
  const shown = steps.filter(({ type }) => type !== 'session' && type !== 'done')
  return (
    <Dialog title={t.inference.loginTitle(cleanName(name))} onClose={onClose}>
      <div className="stack">
        {shown.length === 0 && <Skeleton />}
        <ol className="stack tight" aria-live="polite">
          {shown.map((step, index) => (
            // Steps are only added, so the place of one is its identity.
            <li key={step.type + steps.indexOf(step)}>
              <Step step={step} session={session} isLast={index === shown.length - 1} />
            </li>
          ))}
        </ol>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

interface StepProps {
  readonly step: LoginStep
  readonly session: string | undefined
  readonly isLast: boolean
}

function Step({ step, session, isLast }: StepProps) {
  const t = useText()
  switch (step.type) {
    case 'auth':
      return (
        <>
          <p>{t.inference.openAddress}</p>
          <ForeignLink address={step.url ?? ''} />
          {step.instructions !== undefined && (
            <p className="faint">
              <PlainText text={step.instructions} />
            </p>
          )}
        </>
      )
    case 'device_code':
      return (
        <>
          <p>{t.inference.enterCode}</p>
          <p>
            <code className="commandline">
              <Name text={step.userCode ?? ''} />
            </code>
          </p>
          <ForeignLink address={step.verificationUri ?? ''} />
        </>
      )
    case 'manual_code':
      return <Answer step={step} session={session} isOpen={isLast} />
    case 'connected':
      return <p role="status">{t.inference.connected}</p>
    case 'error':
      return (
        <div className="notice" role="alert">
          <p>
            <PlainText text={step.error ?? ''} />
          </p>
        </div>
      )
    default:
      return (
        <p className="faint">
          <PlainText text={step.message ?? ''} />
        </p>
      )
  }
}

interface AnswerProps {
  readonly step: LoginStep
  readonly session: string | undefined
  readonly isOpen: boolean
}

function Answer({ step, session, isOpen }: AnswerProps) {
  const t = useText()
  const [value, setValue] = useState('')
  const complete = useChange('POST /api/inference/oauth/complete')
  const { run, failure, isRunning } = useRun(() =>
    complete.run({ body: { sessionId: session, responseId: step.responseId, value } }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <p>
        <PlainText text={step.message ?? ''} />
      </p>
      {isOpen && (
        <>
          <Field label={t.inference.code}>
            <input
              autoComplete="off"
              value={value}
              onChange={({ target }) => setValue(target.value)}
              required
            />
          </Field>
          {failure}
          <p>
            <button type="submit" className="button main" disabled={isRunning}>
              {t.inference.send}
            </button>
          </p>
        </>
      )}
    </form>
  )
}
