import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { CreatedImport, Import, ImportList, ImportState } from '../../queries/sources.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { useRun } from '../../widgets/use-run.tsx'
import { FormButtons, toSubmit } from './form-buttons.tsx'

const everyMs = 5000

export const importTones: Readonly<Partial<Record<ImportState, string>>> = {
  completed: 'good',
  completed_with_rejections: 'warn',
  paused: 'warn',
  failed: 'bad',
  cancelled: '',
}

/** Imports of conversations of other programs. */
export function Imports() {
  const t = useText()
  const read = useRead<ImportList>('GET /api/sources/imports', {}, { everyMs })
  return (
    <Sheet title={t.sources.imports} isFlush>
      <Loaded read={read}>
        {({ imports }) =>
          imports.length === 0 ? (
            <p className="pad faint">
              {t.sources.noImports} <code className="commandline">{'reverie import FILE'}</code>
            </p>
          ) : (
            <ul className="lines" aria-label={t.sources.imports}>
              {imports.map((job) => (
                <ImportRow key={job.id} job={job} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function ImportRow({ job }: { readonly job: Import }) {
  const t = useText()
  const format = useFormat()
  const { id, state, imported, rejected, total, created_at } = job
  return (
    <li>
      <i className={`dot ${importTones[state] ?? 'act'}`} aria-hidden="true" />
      <p>
        <Link href={toPath('imports', id)}>{t.sources.importOf(format.moment(created_at))}</Link>
        <br />
        <span className="faint">
          {t.sources.importStates[state]} · {t.sources.importedOf(imported, total)}
          {rejected > 0 && ` · ${t.sources.rejectedLines(rejected)}`}
        </span>
      </p>
    </li>
  )
}

/** Uploads a file of conversations and starts its import. */
export function AddImport() {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const create = useChange('POST /api/sources/imports')
  if (create.isMissing) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t.sources.addImport}
      </button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const notify = useNotify()
  const [, go] = useLocation()
  const [file, setFile] = useState<File>()
  const create = useChange<CreatedImport>('POST /api/sources/imports')
  const put = useChange('PUT /api/sources/imports/:jobId/files/:fileId')
  const start = useChange('POST /api/sources/imports/:jobId/start')
  const cancel = useChange('POST /api/sources/imports/:jobId/cancel')
  const { run, failure, isRunning } = useRun(async () => {
    if (!file) return
    const { id, files } = await create.run({ body: { files: [{ name: file.name }] } })
    try {
      await put.run({ path: { jobId: id, fileId: files[0]?.id }, bytes: file })
    } catch (error) {
      // The page has no way to continue an upload. The user reads why it failed, not why this did.
      await cancel.run({ path: { jobId: id }, body: {} }).catch(() => undefined)
      throw error
    }
    await start.run({ path: { jobId: id } })
    notify({ text: t.sources.reading })
    onClose()
    go(toPath('imports', id))
  })
  return (
    <Dialog title={t.sources.addImport} onClose={onClose} isChanged={file !== undefined}>
      <form className="stack" onSubmit={toSubmit(run)}>
        <Field label={t.sources.file} note={t.sources.importNote}>
          <input
            type="file"
            accept=".jsonl,.ndjson"
            onChange={({ target }) => setFile(target.files?.[0])}
            required
          />
        </Field>
        {failure}
        <FormButtons label={t.sources.upload} isRunning={isRunning} onClose={onClose} />
      </form>
    </Dialog>
  )
}
