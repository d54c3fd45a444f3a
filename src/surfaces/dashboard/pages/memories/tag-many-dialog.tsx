import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { type MemoryRow, toTags } from '../../queries/memories.ts'
import { useChange } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

interface TagProps {
  readonly ids: readonly string[]
  readonly rows: readonly MemoryRow[]
  readonly onDone: () => void
  readonly onClose: () => void
}

interface Modified {
  readonly updated: number
  readonly results: readonly { readonly id: string; readonly status: string }[]
}

/** Rows in the preview. */
const maxSamples = 5

/** Adds a tag to the selected memories, after a preview. */
export function TagManyDialog({ ids, rows, onDone, onClose }: TagProps) {
  const t = useText()
  const notify = useNotify()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const modify = useChange<Modified>('POST /api/memory/modify')
  const tag = typed.trim()
  const chosen = rows.filter(({ id, tags }) => ids.includes(id) && !toTags(tags).includes(tag))
  const { run, failure, isRunning } = useRun(async () => {
    const patches = chosen.map(({ id, tags }) => ({ id, tags: [...toTags(tags), tag] }))
    const { updated, results } = await modify.run({ body: { reason, patches } })
    const changed = new Set(
      results.filter(({ status }) => status === 'updated').map(({ id }) => id),
    )
    const former = chosen
      .filter(({ id }) => changed.has(id))
      .map(({ id, tags }) => ({ id, tags: toTags(tags) }))
    const undo = () => modify.run({ body: { reason: 'undone in the dashboard', patches: former } })
    notify({ text: t.memories.taggedMany(updated), ...(former.length > 0 && { undo }) })
    onClose()
    onDone()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  return (
    <Dialog title={t.memories.tagManyTitle(ids.length)} onClose={onClose} isChanged={tag !== ''}>
      <form className="stack" onSubmit={submit}>
        <Field label={t.memories.tag}>
          <input value={typed} onChange={({ target }) => setTyped(target.value)} required />
        </Field>
        <section className="stack tight" aria-label={t.operations.wouldDo}>
          <p className="faint">{t.memories.tagEffect(chosen.length)}</p>
          <ul className="similar">
            {chosen.slice(0, maxSamples).map(({ id, content }) => (
              <li key={id} className="row">
                <span className="oneline read">
                  <PlainText text={content.slice(0, 200)} />
                </span>
                {tag !== '' && (
                  <span className="chip good push">
                    <Name text={tag} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
        <Field label={t.common.reason}>
          <input value={reason} onChange={({ target }) => setReason(target.value)} required />
        </Field>
        {failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button
            type="submit"
            className="button main"
            disabled={isRunning || chosen.length === 0 || tag === ''}
          >
            {t.memories.tagNow}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
