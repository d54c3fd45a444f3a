import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange } from '../../queries/read.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

interface RememberDialogProps {
  readonly onClose: () => void
  readonly onSaved: (id: string) => void
}

interface SavedReply {
  readonly id: string
  readonly deduped?: boolean
}

/** Writes a memory by hand. */
export function RememberDialog({ onClose, onSaved }: RememberDialogProps) {
  const t = useText()
  const notify = useNotify()
  const [draft, setDraft] = useState({ content: '', tags: '', project: '' })
  const remember = useChange<SavedReply>('POST /api/memory/remember')
  const forget = useChange('DELETE /api/memory/:id')
  const { run, failure, isRunning } = useRun(async () => {
    const { content, tags, project } = draft
    const body = { content, ...(tags && { tags }), ...(project && { project }) }
    const { id, deduped } = await remember.run({ body })
    const undo = () => forget.run({ path: { id }, body: { reason: 'taken back in the dashboard' } })
    notify(deduped ? { text: t.memories.duplicate } : { text: t.memories.remembered, undo })
    onClose()
    onSaved(id)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  const set = (field: keyof typeof draft) => (event: { readonly target: { value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value })
  return (
    <Dialog title={t.memories.rememberTitle} onClose={onClose} isChanged={draft.content !== ''}>
      <form className="stack" onSubmit={submit}>
        <Field label={t.memories.text}>
          <textarea value={draft.content} onChange={set('content')} required />
        </Field>
        <Field label={t.memories.tags} note={t.memories.tagsNote}>
          <input value={draft.tags} onChange={set('tags')} />
        </Field>
        <Field label={t.memories.project}>
          <input value={draft.project} onChange={set('project')} />
        </Field>
        {failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" className="button main" disabled={isRunning}>
            {isRunning ? t.memories.remembering : t.memories.rememberButton}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
