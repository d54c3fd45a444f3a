import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { Document, DocumentList } from '../../queries/sources.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'

const maxDocuments = 100
const tones: Readonly<Record<string, string>> = { done: 'good', failed: 'bad' }

/** Texts, pages and files that were added, with their progress. */
export function Documents() {
  const t = useText()
  const input = { query: { limit: maxDocuments } }
  const read = useRead<DocumentList>('GET /api/documents', input, { everyMs: 5000 })
  return (
    <Sheet title={t.sources.documents} aside={read.data?.total} isFlush>
      <Loaded read={read}>
        {({ documents }) =>
          documents.length === 0 ? (
            <Empty title={t.sources.noDocuments} text={t.sources.noDocumentsText} />
          ) : (
            <ul className="lines" aria-label={t.sources.documents}>
              {documents.map((document) => (
                <DocumentRow key={document.id} document={document} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function DocumentRow({ document }: { readonly document: Document }) {
  const t = useText()
  const { id, title, source_url, source_type, status, error, chunk_count, created_at } = document
  return (
    <li>
      <i className={`dot ${tones[status] ?? 'act'}`} aria-hidden="true" />
      <p>
        <Link href={toPath('documents', id)}>
          <Name text={title ?? source_url ?? id} />
        </Link>{' '}
        <span className="chip">{t.sources.documentKinds[source_type] ?? source_type}</span>
        <br />
        <span className="faint">
          {t.sources.documentStates[status] ?? status} · {t.sources.chunks(chunk_count)}
          {error !== null && (
            <>
              {' · '}
              <PlainText text={error} />
            </>
          )}
        </span>
      </p>
      <Time at={created_at} className="when" />
    </li>
  )
}
