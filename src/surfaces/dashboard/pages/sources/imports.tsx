import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Import, ImportList } from '../../queries/sources.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'

/** Imports of conversations of other programs. */
export function Imports() {
  const t = useText()
  const read = useRead<ImportList>('GET /api/sources/imports', {}, { everyMs: 5000 })
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
              {imports.map(({ id, status, createdAt }) => (
                <li key={id}>
                  <i className="dot act" aria-hidden="true" />
                  <p>
                    <Link href={toPath('imports', id)}>
                      <Name text={id} />
                    </Link>
                    <br />
                    <span className="faint">{t.sources.importStates[status] ?? status}</span>
                  </p>
                  {createdAt !== undefined && <Time at={createdAt} className="when" />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

const steps = ['start', 'pause', 'resume', 'retry', 'cancel'] as const

export function ImportPage({ id }: { readonly id: string }) {
  const t = useText()
  const input = { path: { jobId: id } }
  const read = useRead<Import>('GET /api/sources/imports/:jobId', input, { everyMs: 3000 })
  return (
    <Screen name={id} title={<Name text={id} />} actions={<ImportActions id={id} />}>
      <Sheet title={t.memories.details}>
        <Loaded read={read}>
          {(job) => (
            <pre className="code">
              <PlainText text={JSON.stringify(job, undefined, 2)} />
            </pre>
          )}
        </Loaded>
      </Sheet>
    </Screen>
  )
}

function ImportActions({ id }: { readonly id: string }) {
  const t = useText()
  const changes = {
    start: useChange('POST /api/sources/imports/:jobId/start'),
    pause: useChange('POST /api/sources/imports/:jobId/pause'),
    resume: useChange('POST /api/sources/imports/:jobId/resume'),
    retry: useChange('POST /api/sources/imports/:jobId/retry'),
    cancel: useChange('POST /api/sources/imports/:jobId/cancel'),
  }
  return steps.map((step) => (
    <ActionButton
      key={step}
      label={t.sources.steps[step]}
      run={() => changes[step].run({ path: { jobId: id }, body: {} })}
      done={t.memories.edited}
    />
  ))
}
