import { useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange } from '../../queries/read.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { FormButtons, toSubmit } from './form-buttons.tsx'

/** Adds a text, the address of a page, or a file. */
export function AddDocument() {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t.sources.addDocument}
      </button>
      {isOpen && <DocumentDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const kinds = ['text', 'url', 'file'] as const
type Kind = (typeof kinds)[number]

function DocumentDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const notify = useNotify()
  const [kind, setKind] = useState<Kind>('text')
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  const add = useChange('POST /api/documents')
  const { run, failure, isRunning } = useRun(async () => {
    const body = {
      source_type: kind,
      ...(title && { title }),
      ...(await toContent(kind, text, file)),
    }
    await add.run({ body })
    notify({ text: t.sources.reading })
    onClose()
  })
  return (
    <Dialog title={t.sources.addDocument} onClose={onClose} isChanged={text !== ''}>
      <form className="stack" onSubmit={toSubmit(run)}>
        <Field label={t.memories.type}>
          <select value={kind} onChange={({ target }) => setKind(toKind(target.value))}>
            {kinds.map((name) => (
              <option key={name} value={name}>
                {t.sources.documentKinds[name]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t.sources.name}>
          <input value={title} onChange={({ target }) => setTitle(target.value)} />
        </Field>
        {kind === 'file' ? (
          <Field label={t.sources.file}>
            <input type="file" onChange={({ target }) => setFile(target.files?.[0])} required />
          </Field>
        ) : (
          <Field label={kind === 'url' ? t.sources.address : t.memories.text}>
            {kind === 'url' ? (
              <input
                type="url"
                value={text}
                onChange={({ target }) => setText(target.value)}
                required
              />
            ) : (
              <textarea value={text} onChange={({ target }) => setText(target.value)} required />
            )}
          </Field>
        )}
        {failure}
        <FormButtons label={t.sources.add} isRunning={isRunning} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function toKind(value: string): Kind {
  return kinds.find((kind) => kind === value) ?? 'text'
}

async function toContent(kind: Kind, text: string, file: File | undefined): Promise<object> {
  if (kind === 'url') return { url: text }
  if (kind === 'text' || !file) return { content: text }
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const type = file.type === '' ? {} : { content_type: file.type }
  return { content: btoa(binary), encoding: 'base64', metadata: { name: file.name }, ...type }
}
