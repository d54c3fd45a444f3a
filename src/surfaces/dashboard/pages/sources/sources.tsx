import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { Source, SourceList } from '../../queries/sources.ts'
import { Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath, useSegments } from '../../widgets/segments.ts'
import { AddDocument } from './add-document.tsx'
import { AddSource } from './add-source.tsx'
import { DocumentPage } from './document-page.tsx'
import { Documents } from './documents.tsx'
import { ImportPage } from './import-page.tsx'
import { AddImport, Imports } from './imports.tsx'
import { SourcePage } from './source-page.tsx'

export function Page() {
  const t = useText()
  const [kind, id] = useSegments()
  if (id !== undefined && kind === 'documents') return <DocumentPage key={id} id={id} />
  if (id !== undefined && kind === 'imports') return <ImportPage key={id} id={id} />
  if (id !== undefined) return <SourcePage key={id} id={id} />
  return (
    <Screen
      name={t.screens.sources}
      lede={t.sources.lede}
      actions={
        <>
          <AddImport />
          <AddDocument />
          <AddSource />
        </>
      }
    >
      <div className="grid two">
        <div className="stack">
          <Sources />
          <Documents />
        </div>
        <Imports />
      </div>
    </Screen>
  )
}

function Sources() {
  const t = useText()
  const read = useRead<SourceList>('GET /api/sources', {}, { everyMs: 5000 })
  return (
    <Sheet title={t.screens.sources} isFlush>
      <Loaded read={read}>
        {({ sources }) =>
          sources.length === 0 ? (
            <Empty title={t.sources.none} text={t.sources.noneText} />
          ) : (
            <ul className="lines" aria-label={t.screens.sources} data-rows="">
              {sources.map((source) => (
                <SourceRow key={source.id} source={source} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

const tones: Readonly<Record<string, string>> = {
  healthy: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
}

function SourceRow({ source }: { readonly source: Source }) {
  const t = useText()
  const format = useFormat()
  const { id, name, kind, root, enabled, stats, health, indexJob } = source
  const tone = enabled ? (tones[health?.status ?? ''] ?? 'warn') : ''
  return (
    <li>
      <i className={`dot ${tone}`} aria-hidden="true" />
      <p>
        <Link href={toPath('sources', id)} data-row="">
          <Name text={name} />
        </Link>{' '}
        <span className="chip">{t.sources.kinds[kind] ?? kind}</span>{' '}
        {!enabled && <span className="chip warn">{t.sources.paused}</span>}
        <br />
        <span className="faint">
          {root !== name && (
            <>
              <Name text={root} />
              {stats && ' · '}
            </>
          )}
          {stats && t.sources.files(stats.artifacts, format.number(stats.chunks))}
        </span>
        {indexJob?.status === 'running' && (
          <progress max={Math.max(1, indexJob.total)} value={indexJob.scanned} />
        )}
      </p>
    </li>
  )
}
