import { Link, useLocation } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { DeletedSource, Source, SourceDetail, SourceHealth } from '../../queries/sources.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { usePreview } from '../../widgets/use-preview.ts'
import { Pairs, Time } from '../../widgets/values.tsx'
import { Snapshot } from './snapshot.tsx'

const runTones: Readonly<Record<string, string>> = {
  complete: 'good',
  paused: 'warn',
  failed: 'bad',
}

/** One source: its progress, its health, and its removal. */
export function SourcePage({ id }: { readonly id: string }) {
  const t = useText()
  const input = { path: { sourceId: id } }
  const read = useRead<SourceDetail>('GET /api/sources/:sourceId', input, { everyMs: 5000 })
  const name = read.data?.source.name ?? t.screens.sources
  return (
    <Screen
      name={name}
      title={<Name text={name} />}
      actions={read.data && <SourceActions source={read.data.source} />}
    >
      <p className="row wrap faint crumbs">
        <Link href="/ui/sources">{t.screens.sources}</Link>
      </p>
      <Loaded read={read}>
        {({ source, runs }) => (
          <div className="grid two">
            <Sheet title={t.sources.runs} isFlush>
              {runs.length === 0 && <p className="pad faint">{t.sources.noRuns}</p>}
              <ul className="lines">
                {runs.map((run) => (
                  <li key={run.id}>
                    <i className={`dot ${runTones[run.status] ?? 'act'}`} aria-hidden="true" />
                    <p>
                      {t.sources.runStates[run.status] ?? run.status}
                      <br />
                      <span className="faint num">
                        {run.status === 'complete'
                          ? t.sources.runResult(run.indexed, run.total)
                          : t.sources.progress(run.scanned, run.total)}
                      </span>
                      {run.error && (
                        <span className="faint">
                          <br />
                          <PlainText text={run.error} />
                        </span>
                      )}
                    </p>
                    <Time at={run.queuedAt} className="when" />
                  </li>
                ))}
              </ul>
            </Sheet>
            <div className="stack">
              <State source={source} />
              <Snapshot source={source} />
            </div>
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

function State({ source: { id, root, kind, lastIndexedAt, stats } }: { readonly source: Source }) {
  const t = useText()
  const format = useFormat()
  const read = useRead<SourceHealth>('GET /api/sources/:sourceId/health', {
    path: { sourceId: id },
  })
  return (
    <Sheet title={t.sources.health}>
      <Loaded read={read}>
        {({ health: { status, chunkCoverage, failures, error, permission } }) => (
          <>
            <Pairs
              rows={[
                [t.memories.state, t.sources.healthStates[status] ?? status],
                [t.memories.type, t.sources.kinds[kind] ?? kind],
                [t.sources.place, <Name key="root" text={root} />],
                [t.sources.fileCount, format.number(stats?.artifacts)],
                [t.sources.chunkCount, format.number(stats?.chunks)],
                [t.sources.coverage, format.percent(chunkCoverage)],
                [t.sources.failures, format.number(failures.total)],
                [t.sources.lastIndexed, lastIndexedAt && <Time key="at" at={lastIndexedAt} />],
              ]}
            />
            {error !== undefined && (
              <p className="notice">
                <PlainText text={error} />
              </p>
            )}
            {permission.issues.map(({ path, guidance }) => (
              <p key={path} className="notice warn">
                <Name text={path} />
                <br />
                <span lang="en">
                  <PlainText text={guidance} />
                </span>
              </p>
            ))}
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

function SourceActions({ source: { id, enabled, name } }: { readonly source: Source }) {
  const t = useText()
  const [, go] = useLocation()
  const index = useChange('POST /api/sources/:sourceId/index')
  const pause = useChange('POST /api/sources/:sourceId/pause')
  const resume = useChange('POST /api/sources/:sourceId/resume')
  const remove = useChange<DeletedSource>('DELETE /api/sources/:sourceId')
  const input = { path: { sourceId: id }, body: {} }
  const deleteSource = async () => {
    await remove.run({ path: { sourceId: id } })
    go('/ui/sources')
  }
  return (
    <>
      <ActionButton
        label={t.sources.index}
        run={() => index.run(input)}
        done={t.sources.indexing}
      />
      <ActionButton
        label={enabled ? t.sources.pause : t.sources.resume}
        run={() => (enabled ? pause : resume).run(input)}
        done={t.memories.edited}
      />
      <ConfirmButton
        label={t.sources.remove}
        tone="danger"
        title={t.sources.removeTitle(name)}
        confirm={t.sources.removeConfirm}
        run={deleteSource}
        done={t.sources.removed}
      >
        <Removal run={() => remove.run({ path: { sourceId: id }, query: { dryRun: true } })} />
      </ConfirmButton>
    </>
  )
}

/** The rows that a removal would delete, by kind. */
function Removal({ run }: { readonly run: () => Promise<DeletedSource> }) {
  const t = useText()
  const format = useFormat()
  const { data, error } = usePreview(run)
  if (error !== undefined) return <ErrorPanel error={error} />
  if (!data) return <Skeleton />
  return (
    <section className="stack tight" aria-label={t.operations.wouldDo}>
      <p>{t.sources.removeText}</p>
      <Pairs
        rows={Object.entries(data.purged)
          .filter(([, rows]) => rows > 0)
          .map(([name, rows]) => [t.sources.purged[name] ?? name, format.number(rows)])}
      />
    </section>
  )
}
