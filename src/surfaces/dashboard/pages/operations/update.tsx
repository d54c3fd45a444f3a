import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { UpdateCheck, UpdateProgress, UpdateRun } from '../../queries/running.ts'
import { Markdown } from '../../text/markdown.tsx'
import { PlainText } from '../../text/plain-text.tsx'
import { ConfirmButton } from '../../widgets/actions.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { usePreview } from '../../widgets/use-preview.ts'
import { Pairs } from '../../widgets/values.tsx'

/** The running version, and a newer one. */
export function UpdateView() {
  const t = useText()
  const read = useRead<UpdateCheck>('GET /api/update/check')
  return (
    <Sheet title={t.operations.update}>
      <Progress />
      <Loaded read={read}>
        {(check) => (
          <div className="stack">
            <Pairs
              rows={[
                [t.operations.version, check.currentVersion],
                [t.operations.newest, check.latestVersion ?? t.common.unknown],
                [t.operations.pendingVersion, check.pendingVersion],
              ]}
            />
            {check.checkError !== undefined && (
              <p className="faint">
                <PlainText text={check.checkError} />
              </p>
            )}
            {check.restartRequired && <p>{t.operations.restart}</p>}
            {check.updateAvailable && <Install />}
            {!check.updateAvailable && check.checkError === undefined && (
              <p>{t.operations.upToDate}</p>
            )}
            {check.releaseNotes !== null && check.updateAvailable && (
              <Markdown text={check.releaseNotes} />
            )}
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

function Progress() {
  const t = useText()
  const { data } = useRead<UpdateProgress>('GET /api/update/status', {}, { everyMs: 3000 })
  if (!data || data.state === 'idle') return null
  return <p role="status">{t.operations.updateStates[data.state] ?? data.state}</p>
}

function Install() {
  const t = useText()
  const update = useChange<UpdateRun>('POST /api/update/run')
  const install = async () => {
    const { success, message } = await update.run({ body: {} })
    if (!success) throw new Error(message)
  }
  return (
    <p>
      <ConfirmButton
        label={t.operations.install}
        title={t.operations.install}
        confirm={t.operations.installNow}
        tone="main"
        run={install}
        done={t.operations.restart}
      >
        <Steps run={() => update.run({ body: { dryRun: true } })} />
      </ConfirmButton>
    </p>
  )
}

/** What the update would do. */
function Steps({ run }: { readonly run: () => Promise<UpdateRun> }) {
  const { data, error } = usePreview(run)
  if (error !== undefined) return <ErrorPanel error={error} />
  if (!data) return <Skeleton />
  return (
    <>
      <p>
        <PlainText text={data.message} />
      </p>
      <ol>
        {data.steps?.map((step) => (
          <li key={step}>
            <PlainText text={step} />
          </li>
        ))}
      </ol>
    </>
  )
}
