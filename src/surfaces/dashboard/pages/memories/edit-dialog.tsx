import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { call, toCode } from '../../queries/api.ts'
import { type Memory, toTags } from '../../queries/memories.ts'
import { useChange } from '../../queries/read.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

interface EditProps {
  readonly memory: Memory
  readonly onClose: () => void
}

interface Draft {
  readonly tags: string
  readonly importance: string
  readonly reason: string
}

/** Changes tags and importance. A change by somebody else in the meantime is shown as a diff. */
export function EditDialog({ memory, onClose }: EditProps) {
  const t = useText()
  const notify = useNotify()
  const [base, setBase] = useState(memory)
  const [theirs, setTheirs] = useState<Memory>()
  const [draft, setDraft] = useState(() => toDraft(memory))
  const update = useChange('PATCH /api/memory/:id')
  const { id } = memory
  const save = async (version: number) => {
    const { tags, importance, reason } = draft
    const fields = { tags: toTags(tags), importance: Number(importance), reason }
    try {
      await update.run({ path: { id }, body: { ...fields, if_version: version } })
    } catch (error) {
      if (toCode(error) !== 'version_conflict') throw error
      setTheirs(await call<Memory>('GET /api/memory/:id', { path: { id } }))
      return
    }
    notify({ text: t.memories.edited })
    onClose()
  }
  const { run, failure, isRunning } = useRun(() => save(theirs?.version ?? base.version))
  const takeTheirs = () => {
    if (!theirs) return
    setBase(theirs)
    setDraft({ ...toDraft(theirs), reason: draft.reason })
    setTheirs(undefined)
  }
  const isChanged = draft.tags !== toDraft(base).tags || draft.reason !== ''
  return (
    <Dialog title={t.memories.editTitle} onClose={onClose} isChanged={isChanged}>
      <EditForm draft={draft} setDraft={setDraft} onSubmit={run}>
        {theirs && <Conflict theirs={toDraft(theirs)} mine={draft} />}
        {failure}
        <div className="actions">
          {theirs ? (
            <>
              <button type="button" className="button" onClick={takeTheirs}>
                {t.memories.takeTheirs}
              </button>
              <button type="button" className="button main" onClick={run} disabled={isRunning}>
                {t.memories.keepMine}
              </button>
            </>
          ) : (
            <>
              <button type="button" className="button" onClick={onClose}>
                {t.common.cancel}
              </button>
              <button type="submit" className="button main" disabled={isRunning}>
                {isRunning ? t.common.saving : t.common.save}
              </button>
            </>
          )}
        </div>
      </EditForm>
    </Dialog>
  )
}

function toDraft({ tags, importance }: Memory): Draft {
  return { tags: toTags(tags).join(', '), importance: String(importance), reason: '' }
}

interface FormProps {
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
  readonly onSubmit: () => void
  readonly children: React.ReactNode
}

function EditForm({ draft, setDraft, onSubmit, children }: FormProps) {
  const t = useText()
  const set = (field: keyof Draft) => (event: { readonly target: { value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={t.memories.tags} note={t.memories.tagsNote}>
        <input value={draft.tags} onChange={set('tags')} />
      </Field>
      <Field label={t.memories.importance}>
        <input
          type="number"
          min="0"
          max="1"
          step="0.05"
          value={draft.importance}
          onChange={set('importance')}
          required
        />
      </Field>
      <Field label={t.common.reason}>
        <input value={draft.reason} onChange={set('reason')} required />
      </Field>
      {children}
    </form>
  )
}

interface ConflictProps {
  readonly theirs: Draft
  readonly mine: Draft
}

function Conflict({ theirs, mine }: ConflictProps) {
  const t = useText()
  const describe = ({ tags, importance }: Draft) => `${tags} · ${importance}`
  return (
    <div role="alert">
      <p>{t.memories.conflict}</p>
      <Diff
        before={`${t.memories.theirs}: ${describe(theirs)}`}
        after={`${t.memories.mine}: ${describe(mine)}`}
      />
    </div>
  )
}
