import { useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import { useCanCall } from '../../queries/session.tsx'
import type { SecretList } from '../../queries/sources.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { FormButtons, toSubmit } from './form-buttons.tsx'
import { type FieldName, kinds, type SourceKind, sourceForms, toBody } from './source-forms.ts'

/** Adds a source of any kind. Tokens are named, never typed. */
export function AddSource() {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button main" onClick={() => setOpen(true)}>
        {t.sources.addSource}
      </button>
      {isOpen && <SourceDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SourceDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const notify = useNotify()
  const canCall = useCanCall()
  const [kind, setKind] = useState<SourceKind>('notes-vault')
  const [values, setValues] = useState<Partial<Record<FieldName, string>>>({})
  const { route, fields } = sourceForms[kind]
  const add = useChange(route)
  const { run, failure, isRunning } = useRun(async () => {
    await add.run({ body: toBody(kind, values) })
    notify({ text: t.sources.indexing })
    onClose()
  })
  const isChanged = Object.values(values).some((value) => value !== '')
  return (
    <Dialog title={t.sources.addSource} onClose={onClose} isChanged={isChanged}>
      <form className="stack" onSubmit={toSubmit(run)}>
        <Field label={t.memories.type}>
          <select
            value={kind}
            onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? kind)}
          >
            {kinds
              .filter((name) => canCall(sourceForms[name].route))
              .map((name) => (
                <option key={name} value={name}>
                  {t.sources.sourceKinds[name]}
                </option>
              ))}
          </select>
        </Field>
        <p className="quiet">{t.sources.sourceTexts[kind]}</p>
        {[...fields, 'name' as const].map((name) => (
          <SourceField
            key={`${kind}-${name}`}
            name={name}
            isRequired={sourceForms[kind].required.includes(name)}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        {failure}
        <FormButtons label={t.sources.add} isRunning={isRunning} onClose={onClose} />
      </form>
    </Dialog>
  )
}

interface FieldProps {
  readonly name: FieldName
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

const types: Readonly<Partial<Record<FieldName, string>>> = { url: 'url', maxPages: 'number' }

function SourceField({ name, isRequired, value, onChange }: FieldProps) {
  const t = useText()
  if (name === 'tokenRef')
    return <SecretField isRequired={isRequired} value={value} onChange={onChange} />
  const note = t.sources.fieldNotes[name]
  return (
    <Field label={t.sources.fields[name]} {...(note !== undefined && { note })}>
      <input
        type={types[name] ?? 'text'}
        {...(name === 'maxPages' && { min: 1 })}
        value={value}
        required={isRequired}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

/** Chooses the name of a stored secret. A caller who may not list the names types one. */
function SecretField({ isRequired, value, onChange }: Omit<FieldProps, 'name'>) {
  const t = useText()
  const { data, error, isMissing } = useRead<SecretList>('GET /api/secrets')
  const label = t.sources.fields.tokenRef
  if (isMissing || error)
    return (
      <Field label={label} note={t.sources.secretNote}>
        <input
          value={value}
          required={isRequired}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
    )
  return (
    <>
      <Field label={label}>
        <select
          value={value}
          required={isRequired}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{isRequired ? t.sources.chooseSecret : t.common.none}</option>
          {data?.secrets.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {data?.secrets.length === 0 && (
        <p className="quiet">
          {t.sources.noSecret} <Link href="/ui/secrets">{t.screens.secrets}</Link>
        </p>
      )}
    </>
  )
}
