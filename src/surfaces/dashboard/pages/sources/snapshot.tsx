import { useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { readFile } from '../../queries/api.ts'
import { useChange } from '../../queries/read.ts'
import { useCanCall } from '../../queries/session.tsx'
import type { RestoredSource, Source } from '../../queries/sources.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { ActionButton } from '../../widgets/actions.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field, Sheet } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { FormButtons, toSubmit } from './form-buttons.tsx'

const exportRoute = 'GET /api/sources/:sourceId/snapshot'
const restoreRoute = 'POST /api/sources/:sourceId/snapshot/import'

/** Downloads what a source has indexed, and restores it from such a file. */
export function Snapshot({ source }: { readonly source: Source }) {
  const t = useText()
  const canCall = useCanCall()
  const [isOpen, setOpen] = useState(false)
  const { id: sourceId } = source
  const [canDownload, canRestore] = [canCall(exportRoute), canCall(restoreRoute)]
  if (!canDownload && !canRestore) return null
  const download = async () => {
    const name = `source-${sourceId.replaceAll(':', '-')}.json`
    saveFile(name, await readFile(exportRoute, { path: { sourceId } }))
  }
  return (
    <Sheet title={t.sources.snapshot}>
      <div className="stack">
        <p className="faint">{t.sources.snapshotText}</p>
        <div className="row wrap">
          {canDownload && (
            <ActionButton
              label={t.sources.downloadSnapshot}
              run={download}
              done={t.sources.downloaded}
            />
          )}
          {canRestore && (
            <button type="button" className="button" onClick={() => setOpen(true)}>
              {t.sources.restoreOpen}
            </button>
          )}
        </div>
      </div>
      {isOpen && <RestoreDialog source={source} onClose={() => setOpen(false)} />}
    </Sheet>
  )
}

interface RestoreProps {
  readonly source: Source
  readonly onClose: () => void
}

function RestoreDialog({ source: { id: sourceId, name, stats }, onClose }: RestoreProps) {
  const t = useText()
  const notify = useNotify()
  const [file, setFile] = useState<File>()
  const restore = useChange<RestoredSource>(restoreRoute)
  const { run, failure, isRunning } = useRun(async () => {
    if (!file) return
    const { imported } = await restore.run({ path: { sourceId }, bytes: file })
    notify({ text: t.sources.restored(imported) })
    onClose()
  })
  return (
    <Dialog
      title={t.sources.restoreTitle(name)}
      onClose={onClose}
      isChanged={file !== undefined && !isRunning}
    >
      <form className="stack" onSubmit={toSubmit(run)}>
        <p>{t.sources.restoreText(stats?.artifacts ?? 0)}</p>
        <Field label={t.sources.file}>
          <input
            type="file"
            accept=".json"
            onChange={({ target }) => setFile(target.files?.[0])}
            required
          />
        </Field>
        {failure}
        <FormButtons label={t.sources.restore} isRunning={isRunning} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** The browser reads the file after the click. */
const releaseAfterMs = 60_000

/** Puts a file into the downloads of the browser. */
function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = cleanName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), releaseAfterMs)
}
