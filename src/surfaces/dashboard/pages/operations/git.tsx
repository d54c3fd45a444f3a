import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { GitOutcome, GitStatus } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'

/** The repository of the workspace. */
export function GitView() {
  const t = useText()
  const read = useRead<GitStatus>('GET /api/git/status')
  return (
    <Sheet title={t.operations.git}>
      <Loaded read={read}>
        {(status) => (
          <div className="stack">
            <Status status={status} />
            {status.isRepo ? <Actions /> : <Init />}
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

function Status({ status }: { readonly status: GitStatus }) {
  const t = useText()
  const { branch, ahead, behind, dirty, lastCommit, remote, conflictCopies = [] } = status
  if (!status.isRepo) return <p>{t.operations.noRepository}</p>
  return (
    <>
      <Pairs
        rows={[
          [t.operations.branch, branch && <Name key="branch" text={branch} />],
          [t.operations.remote, remote ? <Name key="remote" text={remote} /> : t.common.none],
          [t.operations.toSend, String(ahead)],
          [t.operations.toFetch, String(behind)],
          [t.operations.changed, dirty ? t.common.yes : t.common.no],
          [
            t.operations.lastCommit,
            lastCommit && (
              <span key="commit">
                <Name text={lastCommit.message} /> <Time at={lastCommit.date} />
              </span>
            ),
          ],
        ]}
      />
      {status.degradedReason !== undefined && (
        <div className="notice warn" role="status">
          <p>
            <PlainText text={status.degradedReason} />
          </p>
          {status.fix !== undefined && (
            <p>
              <PlainText text={status.fix} />
            </p>
          )}
        </div>
      )}
      {conflictCopies.length > 0 && (
        <>
          <h3>{t.operations.conflictCopies}</h3>
          <ul>
            {conflictCopies.map((path) => (
              <li key={path}>
                <Name text={path} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Actions() {
  const t = useText()
  const sync = useGit('POST /api/git/sync')
  const pull = useGit('POST /api/git/pull')
  const push = useGit('POST /api/git/push')
  return (
    <div className="row wrap">
      <ActionButton label={t.operations.sync} tone="main" run={sync} done={t.running.done} />
      <ActionButton label={t.operations.pull} run={pull} done={t.running.done} />
      <ActionButton label={t.operations.push} run={push} done={t.running.done} />
    </div>
  )
}

function Init() {
  const t = useText()
  const init = useGit('POST /api/git/init')
  return (
    <p>
      <ConfirmButton
        label={t.operations.init}
        title={t.operations.init}
        confirm={t.operations.init}
        run={init}
        done={t.running.done}
      >
        <p>{t.operations.initText}</p>
      </ConfirmButton>
    </p>
  )
}

/** A failure of git is a reply, which says what to do. */
function useGit(route: `POST /api/git/${'sync' | 'pull' | 'push' | 'init'}`) {
  const { run } = useChange<GitOutcome>(route)
  return async () => {
    const { success, message, error, fix } = await run({ body: {} })
    if (!success) throw new Error([error ?? message, fix].filter(Boolean).join(' '))
  }
}
