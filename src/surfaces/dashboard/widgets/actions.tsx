import { type FormEvent, type ReactNode, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { Dialog } from './dialog.tsx'
import { useNotify } from './notices.tsx'
import { Field } from './screen.tsx'
import { useRun } from './use-run.tsx'

interface ActionProps {
  readonly label: string
  /** Runs the change; returns what reverts it, where something does. */
  readonly run: () => Promise<unknown>
  readonly done?: string
  readonly undo?: () => Promise<unknown>
  readonly tone?: 'main' | 'danger' | 'plain'
  readonly isDisabled?: boolean
}

/** A button that runs one change and reports it. */
export function ActionButton({ label, run: change, done, undo, tone, isDisabled }: ActionProps) {
  const notify = useNotify()
  const { run, failure, isRunning } = useRun(async () => {
    await change()
    if (done !== undefined) notify({ text: done, ...(undo && { undo }) })
  })
  return (
    <>
      <button
        type="button"
        className={`button ${tone ?? ''}`}
        disabled={isRunning || isDisabled}
        onClick={run}
      >
        {label}
      </button>
      {failure}
    </>
  )
}

interface ConfirmProps {
  /** The button that opens the dialog. */
  readonly label: string
  readonly title: string
  /** The effect of the change. */
  readonly children?: ReactNode
  /** The button that runs the change. */
  readonly confirm: string
  readonly asksReason?: boolean
  readonly run: (reason: string) => Promise<unknown>
  readonly done?: string
  readonly tone?: 'main' | 'danger' | 'plain'
}

/** A change that shows its effect before it runs. */
export function ConfirmButton({ label, tone, ...dialog }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={`button ${tone ?? ''}`} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <ConfirmDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = Omit<ConfirmProps, 'label' | 'tone'> & { readonly onClose: () => void }

function ConfirmDialog({
  title,
  children,
  confirm,
  asksReason,
  run: change,
  done,
  onClose,
}: DialogProps) {
  const t = useText()
  const notify = useNotify()
  const [reason, setReason] = useState('')
  const { run, failure, isRunning } = useRun(async () => {
    await change(reason)
    if (done !== undefined) notify({ text: done })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {children}
        {asksReason && (
          <Field label={t.common.reason}>
            <input value={reason} onChange={({ target }) => setReason(target.value)} required />
          </Field>
        )}
        {failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" className="button danger" disabled={isRunning}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
