import type { FormEvent } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange } from '../../queries/read.ts'
import { type Edits, type SettingsChange, toChanges, toFieldText } from '../../queries/settings.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { Diff } from '../../widgets/diff.tsx'
import { ErrorPanel, Skeleton } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { usePreview } from '../../widgets/use-preview.ts'
import { useRun } from '../../widgets/use-run.tsx'

interface ReviewProps {
  readonly edits: Edits
  readonly hash: string
  readonly onClose: () => void
}

/** The diff of the settings file, before it is saved. */
export function ReviewDialog({ edits, hash, onClose }: ReviewProps) {
  const t = useText()
  const notify = useNotify()
  const change = useChange<SettingsChange>('POST /api/settings')
  const body = { changes: toChanges(edits), hash }
  const { data, error } = usePreview(() => change.run({ body: { ...body, dryRun: true } }))
  const { run, failure, isRunning } = useRun(async () => {
    const { restartRequired } = await change.run({ body })
    notify({
      text: restartRequired.length > 0 ? t.settings.savedForRestart : t.settings.saved,
    })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  const canSave = data !== undefined && data.issues.length === 0
  return (
    <Dialog title={t.settings.changes} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {error !== undefined && <ErrorPanel error={error} />}
        {!data && error === undefined && <Skeleton />}
        {data && <Effect change={data} />}
        {failure}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" className="button main" disabled={isRunning || !canSave}>
            {isRunning ? t.common.saving : t.common.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Effect({ change }: { readonly change: SettingsChange }) {
  const t = useText()
  return (
    <>
      {change.diff.map(({ key, before, after }) => (
        <section key={key} aria-label={key}>
          <h3>
            <code className="mono">{key}</code>
          </h3>
          <Diff {...toSides(before, after)} />
        </section>
      ))}
      {change.issues.map(({ key, message }) => (
        <div key={key + message} className="notice" role="alert">
          <p>
            <code className="mono">{key}</code> <PlainText text={message} />
          </p>
        </div>
      ))}
      {change.restartRequired.length > 0 && <p className="faint">{t.settings.restartText}</p>}
    </>
  )
}

/** An absent side has no line. */
function toSides(before: unknown, after: unknown) {
  const isAbsent = (value: unknown) => value === undefined || value === null
  return {
    ...(!isAbsent(before) && { before: toFieldText(before) }),
    ...(!isAbsent(after) && { after: toFieldText(after) }),
  }
}
