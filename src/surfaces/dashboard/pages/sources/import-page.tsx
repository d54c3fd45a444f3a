import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type {
  Import,
  ImportDetail,
  ImportFile,
  ImportState,
  Rejections,
} from '../../queries/sources.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'
import { importTones } from './imports.tsx'

const everyMs = 3000
const ended: readonly ImportState[] = [
  'completed',
  'completed_with_rejections',
  'failed',
  'cancelled',
]

interface IdProps {
  readonly id: string
}

/** One import: its progress, its rejected lines, and its actions. */
export function ImportPage({ id }: IdProps) {
  const t = useText()
  const input = { path: { jobId: id } }
  const isPending = ({ job }: ImportDetail) => !ended.includes(job.state)
  const options = { everyMs, isPending }
  const read = useRead<ImportDetail>('GET /api/sources/imports/:jobId', input, options)
  const name = read.data?.files[0]?.name ?? t.sources.imports
  return (
    <Screen
      name={name}
      title={<Name text={name} />}
      actions={read.data && <ImportActions job={read.data.job} />}
    >
      <p className="row wrap faint crumbs">
        <Link href="/ui/sources">{t.screens.sources}</Link>
        <span>{'›'}</span>
        <span>{t.sources.imports}</span>
      </p>
      <Loaded read={read}>
        {({ job, files }) => (
          <div className="grid two">
            <div className="stack">
              <Progress job={job} />
              {job.rejected > 0 && <RejectedLines id={id} files={files} />}
            </div>
            <Files files={files} />
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

function Progress({ job }: { readonly job: Import }) {
  const t = useText()
  const format = useFormat()
  const { state, total, imported, duplicate, rejected, pending, error } = job
  return (
    <Sheet title={t.sources.progressTitle}>
      <div className="stack tight">
        <p className="row">
          <i className={`dot ${importTones[state] ?? 'act'}`} aria-hidden="true" />
          <span role="status">{t.sources.importStates[state]}</span>
        </p>
        <progress
          aria-label={t.sources.progressTitle}
          max={Math.max(1, total)}
          value={total - pending}
        />
        {error !== null && (
          <div className="notice" role="alert">
            <p>
              <PlainText text={error} />
            </p>
          </div>
        )}
        <Pairs
          rows={[
            [t.sources.lines, format.number(total)],
            [t.sources.imported, format.number(imported)],
            [t.sources.duplicate, format.number(duplicate)],
            [t.sources.rejected, format.number(rejected)],
            [t.sources.pending, format.number(pending)],
            [t.memories.when, <Time key="at" at={job.created_at} />],
          ]}
        />
      </div>
    </Sheet>
  )
}

function RejectedLines({ id, files }: IdProps & { readonly files: readonly ImportFile[] }) {
  const t = useText()
  const format = useFormat()
  const input = { path: { jobId: id } }
  const read = useRead<Rejections>('GET /api/sources/imports/:jobId/rejections', input)
  return (
    <Sheet title={t.sources.rejected} isFlush>
      <Loaded read={read}>
        {({ rejections, nextCursor }) => (
          <>
            <ul className="lines" aria-label={t.sources.rejected}>
              {rejections.map((line) => (
                <li key={line.id}>
                  <i className="dot bad" aria-hidden="true" />
                  <p>
                    {t.sources.rejections[line.rejection_code ?? ''] ?? (
                      <Name text={line.rejection_code ?? t.common.unknown} />
                    )}
                    <br />
                    <span className="faint">
                      <Name text={files.find((file) => file.id === line.file_id)?.name ?? ''} />{' '}
                      {t.sources.lineNumber(format.number(line.line_number))}
                    </span>
                  </p>
                </li>
              ))}
            </ul>
            {nextCursor !== null && <p className="pad faint">{t.sources.moreRejections}</p>}
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

function Files({ files }: { readonly files: readonly ImportFile[] }) {
  const t = useText()
  const format = useFormat()
  return (
    <Sheet title={t.sources.fileCount} isFlush>
      <ul className="lines" aria-label={t.sources.fileCount}>
        {files.map(({ id, name, state, size_bytes, record_count, error }) => (
          <li key={id}>
            <i className={state === 'failed' ? 'dot bad' : 'dot good'} aria-hidden="true" />
            <p>
              <Name text={name} />
              <br />
              <span className="faint">
                {size_bytes !== null && `${format.bytes(size_bytes)} · `}
                {record_count !== null && t.sources.lineCount(record_count)}
              </span>
              {error !== null && (
                <span className="faint">
                  <br />
                  <PlainText text={error} />
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

const active: readonly ImportState[] = ['queued', 'inventorying', 'running']
const retried: readonly ImportState[] = ['failed', 'completed_with_rejections']
const cancelled: readonly ImportState[] = ['staging', 'paused', 'failed', ...active]

/** The actions that the state of an import permits. */
function ImportActions({ job: { id, state, pending } }: { readonly job: Import }) {
  const t = useText()
  const start = useChange('POST /api/sources/imports/:jobId/start')
  const pause = useChange('POST /api/sources/imports/:jobId/pause')
  const resume = useChange('POST /api/sources/imports/:jobId/resume')
  const retry = useChange('POST /api/sources/imports/:jobId/retry')
  const cancel = useChange('POST /api/sources/imports/:jobId/cancel')
  const input = { path: { jobId: id }, body: {} }
  const steps = [
    { name: 'start', isPossible: state === 'staging', change: start },
    { name: 'pause', isPossible: active.includes(state), change: pause },
    { name: 'resume', isPossible: state === 'paused', change: resume },
    { name: 'retry', isPossible: retried.includes(state), change: retry },
  ] as const
  return (
    <>
      {steps
        .filter(({ isPossible, change }) => isPossible && !change.isMissing)
        .map(({ name, change }) => (
          <ActionButton
            key={name}
            label={t.sources.steps[name]}
            run={() => change.run(input)}
            done={t.sources.stepsDone[name]}
          />
        ))}
      {cancelled.includes(state) && (
        <ConfirmButton
          label={t.sources.cancelImport}
          tone="danger"
          title={t.sources.cancelImportTitle}
          confirm={t.sources.cancelImportNow}
          run={() => cancel.run(input)}
          done={t.sources.stepsDone.cancel}
        >
          <p>{t.sources.cancelImportText(pending)}</p>
        </ConfirmButton>
      )}
    </>
  )
}
