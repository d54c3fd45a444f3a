import { Link, useLocation } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Chunks, Document } from '../../queries/sources.ts'
import { ForeignLink } from '../../text/link.tsx'
import { Markdown } from '../../text/markdown.tsx'
import { Name } from '../../text/plain-text.tsx'
import { ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'

/** One document: what was read of it, and its removal. */
export function DocumentPage({ id }: { readonly id: string }) {
  const t = useText()
  const [, go] = useLocation()
  const read = useRead<Document>('GET /api/documents/:id', { path: { id } })
  const remove = useChange('DELETE /api/documents/:id')
  const deleteDocument = async (reason: string) => {
    await remove.run({ path: { id }, query: { reason } })
    go('/ui/sources')
  }
  const name = read.data?.title ?? id
  return (
    <Screen
      name={name}
      title={<Name text={name} />}
      actions={
        <ConfirmButton
          label={t.sources.remove}
          tone="danger"
          title={t.sources.removeTitle(name)}
          confirm={t.sources.removeConfirm}
          asksReason
          run={deleteDocument}
          done={t.sources.removed}
        >
          <p>{t.sources.removeDocumentText(read.data?.chunk_count ?? 0)}</p>
        </ConfirmButton>
      }
    >
      <p className="row wrap faint crumbs">
        <Link href="/ui/sources">{t.screens.sources}</Link>
      </p>
      <div className="grid two">
        <Content id={id} />
        <Sheet title={t.memories.details}>
          <Loaded read={read}>
            {(document) => (
              <Pairs
                rows={[
                  [t.memories.state, t.sources.documentStates[document.status] ?? document.status],
                  [t.memories.type, document.content_type],
                  [
                    t.sources.place,
                    document.source_url && <ForeignLink key="url" address={document.source_url} />,
                  ],
                  [t.sources.chunkCount, document.chunk_count],
                  [t.screens.memories, document.memory_count],
                  [t.memories.when, <Time key="at" at={document.created_at} />],
                ]}
              />
            )}
          </Loaded>
        </Sheet>
      </div>
    </Screen>
  )
}

function Content({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<Chunks>('GET /api/documents/:id/chunks', { path: { id } })
  return (
    <Sheet title={t.memories.text} isFlush>
      <Loaded read={read}>
        {({ chunks }) =>
          chunks.map((chunk) => (
            <article key={chunk.id} className="turn">
              <Markdown text={chunk.content} />
            </article>
          ))
        }
      </Loaded>
    </Sheet>
  )
}
