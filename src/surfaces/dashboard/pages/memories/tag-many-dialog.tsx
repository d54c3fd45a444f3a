import { type FormEvent, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { call, ReverieError } from '../../queries/api.ts'
import { type Memory, mapLimited, toTags } from '../../queries/memories.ts'
import { useChange } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { ErrorPanel, Skeleton } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { usePreview } from '../../widgets/use-preview.ts'
import { useRun } from '../../widgets/use-run.tsx'

interface TagProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

interface Modified {
  readonly updated: number
  readonly results: readonly {
    readonly id: string
    readonly status: string
    readonly newVersion?: number
  }[]
}

/** Requests at the same time. */
const maxReads = 6

/** Rows in the preview. */
const maxSamples = 5

/** Adds a tag to the selected memories as they are now, after a preview. Leaves those that change meanwhile. */
export function TagManyDialog({ ids, onDone, onClose }: TagProps) {
  const t = useText()
  const notify = useNotify()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const modify = useChange<Modified>('POST /api/memory/modify')
  const { data: memories, error } = usePreview(() => readCurrent(ids))
  const tag = typed.trim()
  const chosen = memories?.filter(({ tags }) => !toTags(tags).includes(tag)) ?? []
  const { run, failure, isRunning } = useRun(async () => {
    const patches = chosen.map(({ id, tags, version }) => ({
      id,
      tags: [...toTags(tags), tag],
      if_version: version,
    }))
    const { updated, results } = await modify.run({ body: { reason, patches } })
    const former = results.flatMap(({ id, status, newVersion }) => {
      const memory = chosen.find((each) => each.id === id)
      const isChanged = status === 'updated' && memory !== undefined
      return isChanged ? [{ id, tags: toTags(memory.tags), if_version: newVersion }] : []
    })
    const undo = () => modify.run({ body: { reason: 'undone in the dashboard', patches: former } })
    const text = t.memories.taggedMany(updated, chosen.length - updated)
    notify({ text, ...(former.length > 0 && { undo }) })
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
        {error !== undefined && <ErrorPanel error={error} />}
        {memories ? <Effect chosen={chosen} tag={tag} /> : error === undefined && <Skeleton />}
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

interface EffectProps {
  readonly chosen: readonly Memory[]
  readonly tag: string
}

function Effect({ chosen, tag }: EffectProps) {
  const t = useText()
  return (
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
  )
}

/** The memories with their versions, which lists do not have. Forgotten ones are left out. */
async function readCurrent(ids: readonly string[]): Promise<Memory[]> {
  const read = async (id: string) => {
    try {
      return [await call<Memory>('GET /api/memory/:id', { path: { id } })]
    } catch (error) {
      if (error instanceof ReverieError && error.status === 404) return []
      throw error
    }
  }
  return (await mapLimited(ids, maxReads, read)).flat()
}
