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
import { TagManyDialog } from './tag-many-dialog.tsx'

export interface SelectionProps {
  readonly ids: readonly string[]
  readonly rows: readonly MemoryRow[]
  readonly onDone: () => void
}

/** One request changes at most this many memories. */
const maxSelected = 200

/** What can be done with the selected memories. */
export function SelectionBar({ ids, rows, onDone }: SelectionProps) {
  const t = useText()
  const [open, setOpen] = useState<'forget' | 'tag'>()
  const isDisabled = ids.length === 0 || ids.length > maxSelected
  const close = () => setOpen(undefined)
  return (
    <div className="selection" role="toolbar" aria-label={t.memories.selected}>
      <span className="num">{t.memories.selectedCount(ids.length)}</span>
      <button
        type="button"
        className="button push"
        disabled={isDisabled}
        onClick={() => setOpen('tag')}
      >
        {t.memories.tagOpen}
      </button>
      <button
        type="button"
        className="button danger"
        disabled={isDisabled}
        onClick={() => setOpen('forget')}
      >
        {t.memories.forgetOpen}
      </button>
      {open === 'forget' && (
        <ForgetManyDialog ids={ids} rows={rows} onDone={onDone} onClose={close} />
      )}
      {open === 'tag' && <TagManyDialog ids={ids} onDone={onDone} onClose={close} />}
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
  onDone,
  onClose,
}: SelectionProps & { readonly onClose: () => void }) {
  const t = useText()
  const notify = useNotify()
  const [preview, setPreview] = useState<Preview>()
  const [reason, setReason] = useState('')
  const forget = useChange<Preview & Executed>('POST /api/memory/forget')
  const recover = useChange('POST /api/memory/:id/recover')
  const selection = { ids, limit: maxSelected }
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
    onDone()
  })
  const [start] = useState(() => look.run)
  useEffect(() => start(), [start])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    execute.run()
  }
  const pinned = preview?.candidates.filter((row) => row.pinned).length ?? 0
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
        {pinned > 0 && <p>{t.memories.pinnedStay(pinned)}</p>}
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
