import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import type { Memory } from '../../queries/memories.ts'
import { useChange } from '../../queries/read.ts'
import { MemoryText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

interface ForgetProps {
  readonly memory: Memory
  readonly onClose: () => void
}

/** Forgets one memory. It can be recovered. */
export function ForgetDialog({ memory: { id, content, pinned, version }, onClose }: ForgetProps) {
  const t = useText()
  const notify = useNotify()
  const [reason, setReason] = useState('')
  const [isForced, setForced] = useState(false)
  const forget = useChange('DELETE /api/memory/:id')
  const recover = useChange('POST /api/memory/:id/recover')
  const { run, failure, isRunning } = useRun(async () => {
    const body = { reason, if_version: version, ...(isForced && { force: true }) }
    await forget.run({ path: { id }, body })
    const undo = () =>
      recover.run({ path: { id }, body: { reason: 'taken back in the dashboard' } })
    notify({ text: t.memories.forgot, undo })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  return (
    <Dialog title={t.memories.forgetTitle} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <blockquote className="quote">
          <MemoryText text={content.slice(0, 600)} />
        </blockquote>
        <p className="quiet">{t.memories.forgetText}</p>
        {Boolean(pinned) && (
          <label className="check">
            <input
              type="checkbox"
              checked={isForced}
              onChange={({ target }) => setForced(target.checked)}
            />
            {t.memories.forgetPinned}
          </label>
        )}
        <Field label={t.common.reason}>
          <input value={reason} onChange={({ target }) => setReason(target.value)} required />
        </Field>
        {failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" className="button danger" disabled={isRunning}>
            {isRunning ? t.memories.forgetting : t.memories.forget}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
