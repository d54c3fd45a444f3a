import { type FormEvent, useEffect, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import type { MemoryRow } from '../../queries/memories.ts'
import { useChange } from '../../queries/read.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { Skeleton } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

interface SelectionProps {
  readonly ids: readonly string[]
  readonly rows: readonly MemoryRow[]
  readonly onForgotten: () => void
}

const maxForgotten = 200

/** What can be done with the selected memories. */
export function SelectionBar({ ids, rows, onForgotten }: SelectionProps) {
  const t = useText()
  const [isForgetting, setForgetting] = useState(false)
  return (
    <div className="selection" role="toolbar" aria-label={t.memories.selected}>
      <span className="num">{t.memories.selectedCount(ids.length)}</span>
      <button
        type="button"
        className="button danger push"
        disabled={ids.length === 0 || ids.length > maxForgotten}
        onClick={() => setForgetting(true)}
      >
        {t.memories.forgetOpen}
      </button>
      {isForgetting && (
        <ForgetManyDialog
          ids={ids}
          rows={rows}
          onForgotten={onForgotten}
          onClose={() => setForgetting(false)}
        />
      )}
    </div>
  )
}

interface Preview {
  readonly count: number
  readonly requiresConfirm: boolean
  readonly confirmToken: string
  readonly candidates: readonly { readonly id: string; readonly pinned: boolean }[]
}

interface Executed {
  readonly deleted: number
  readonly results: readonly { readonly id: string; readonly status: string }[]
}

const maxSamples = 5

/** Shows what would be forgotten, then forgets it. */
function ForgetManyDialog({
  ids,
  rows,
  onForgotten,
  onClose,
}: SelectionProps & { readonly onClose: () => void }) {
  const t = useText()
  const notify = useNotify()
  const [preview, setPreview] = useState<Preview>()
  const [reason, setReason] = useState('')
  const forget = useChange<Preview & Executed>('POST /api/memory/forget')
  const recover = useChange('POST /api/memory/:id/recover')
  const selection = { ids, limit: maxForgotten }
  const look = useRun(async () => {
    setPreview(await forget.run({ body: { ...selection, mode: 'preview' } }))
  })
  const execute = useRun(async () => {
    const body = { ...selection, mode: 'execute', reason, confirm_token: preview?.confirmToken }
    const { deleted, results } = await forget.run({ body })
    const forgotten = results.filter(({ status }) => status === 'deleted')
    const undo = async () => {
      for (const { id } of forgotten)
        await recover.run({ path: { id }, body: { reason: 'taken back in the dashboard' } })
    }
    notify({ text: t.memories.forgotMany(deleted), undo })
    onClose()
    onForgotten()
  })
  const [start] = useState(() => look.run)
  useEffect(() => start(), [start])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    execute.run()
  }
  const sample = rows.filter(({ id }) => preview?.candidates.some((row) => row.id === id))
  return (
    <Dialog title={t.memories.forgetManyTitle(preview?.count ?? ids.length)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {look.failure}
        {preview ? (
          <ul className="similar">
            {sample.slice(0, maxSamples).map(({ id, content }) => (
              <li key={id} className="oneline read">
                <PlainText text={content.slice(0, 200)} />
              </li>
            ))}
          </ul>
        ) : (
          !look.failure && <Skeleton />
        )}
        <p className="quiet">{t.memories.forgetText}</p>
        <Field label={t.common.reason}>
          <input value={reason} onChange={({ target }) => setReason(target.value)} required />
        </Field>
        {execute.failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" className="button danger" disabled={!preview || execute.isRunning}>
            {execute.isRunning ? t.memories.forgetting : t.memories.forget}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
