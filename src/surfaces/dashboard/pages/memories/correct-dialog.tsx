import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { type Memory, toTags } from '../../queries/memories.ts'
import { useChange } from '../../queries/read.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'

interface CorrectProps {
  readonly memory: Memory
  readonly onClose: () => void
  readonly onMove: (id: string) => void
}

const rewritableKinds = ['semantic', 'procedural']

/** Replaces a memory by its correction. Evidence is superseded; a distilled memory is updated. */
export function CorrectDialog({ memory, onClose, onMove }: CorrectProps) {
  const t = useText()
  const notify = useNotify()
  const [text, setText] = useState(memory.content)
  const [reason, setReason] = useState('')
  const save = useSaveCorrection(memory)
  const { run, failure, isRunning } = useRun(async () => {
    const id = await save(text, reason)
    notify({ text: t.memories.corrected })
    onClose()
    onMove(id)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  const isChanged = text !== memory.content
  return (
    <Dialog title={t.memories.correctTitle} onClose={onClose} isChanged={isChanged}>
      <form className="stack" onSubmit={submit}>
        <p className="faint">{t.memories.correctNote}</p>
        <Field label={t.memories.text}>
          <textarea value={text} onChange={({ target }) => setText(target.value)} required />
        </Field>
        <Field label={t.common.reason}>
          <input value={reason} onChange={({ target }) => setReason(target.value)} required />
        </Field>
        {isChanged && <Diff before={memory.content} after={text} />}
        {failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" className="button main" disabled={isRunning || !isChanged}>
            {isRunning ? t.common.saving : t.common.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Returns the id of the memory that has the corrected text. */
function useSaveCorrection(memory: Memory) {
  const remember = useChange<{ readonly id: string }>('POST /api/memory/remember')
  const update = useChange('PATCH /api/memory/:id')
  const { id, type, project, scope, visibility, importance, version, memory_kind: kind } = memory
  return async (content: string, reason: string): Promise<string> => {
    if (rewritableKinds.includes(kind)) {
      await update.run({ path: { id }, body: { content, reason, if_version: version } })
      return id
    }
    const carried = {
      type,
      importance,
      tags: toTags(memory.tags),
      pinned: Boolean(memory.pinned),
      ...(project && { project }),
      ...(scope && { scope }),
      ...(visibility === 'private' && { visibility }),
    }
    return (await remember.run({ body: { ...carried, content, reason, supersedes: id } })).id
  }
}
