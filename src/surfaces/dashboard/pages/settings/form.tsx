import { type FormEvent, useDeferredValue, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { Edits, SettingsReply, SettingsSchema } from '../../queries/settings.ts'
import { Loaded } from '../../widgets/loaded.tsx'
import { Field, Sheet } from '../../widgets/screen.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { SettingField } from './setting-field.tsx'
import { useIssues } from './use-issues.ts'

/** All settings of the service, from their schema. Nothing is saved before its diff was shown. */
export function SettingsForm() {
  const t = useText()
  const schema = useRead<SettingsSchema>('GET /api/settings/schema')
  const settings = useRead<SettingsReply>('GET /api/settings')
  return (
    <Sheet title={t.screens.settings} aside={settings.data?.file}>
      <Loaded read={schema}>
        {({ properties }) => (
          <Loaded read={settings}>
            {(reply) => <Form key={reply.hash} properties={properties} reply={reply} />}
          </Loaded>
        )}
      </Loaded>
    </Sheet>
  )
}

interface FormProps extends SettingsSchema {
  readonly reply: SettingsReply
}

function Form({ properties, reply }: FormProps) {
  const t = useText()
  const [wanted, setWanted] = useState('')
  const [edits, setEdits] = useState<Edits>({})
  const [isReviewing, setReviewing] = useState(false)
  const issues = useIssues(edits, reply.hash)
  const filter = useDeferredValue(wanted.trim().toLowerCase())
  const edit = (key: string, value: unknown) =>
    setEdits(({ [key]: _, ...others }) =>
      value === undefined ? others : { ...others, [key]: value },
    )
  const shown = Object.entries(properties).filter(
    ([key, { description = '' }]) =>
      key in edits || `${key}\n${description}`.toLowerCase().includes(filter),
  )
  const groups = [...Map.groupBy(shown, ([key]) => key.split('.')[0] ?? key)].toSorted(([a], [b]) =>
    a.localeCompare(b),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setReviewing(true)
  }
  return (
    <>
      <form className="stack" onSubmit={submit}>
        <Field label={t.running.findSetting}>
          <input type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
        </Field>
        {groups.map(([group, entries]) => (
          <details
            key={group}
            className="fold"
            open={filter !== '' || entries.some(([key]) => key in edits)}
          >
            <summary>
              {group} <span className="faint">{entries.length}</span>
            </summary>
            <div className="stack tight">
              {entries.map(([key, schema]) => (
                <SettingField
                  key={key}
                  name={key}
                  schema={schema}
                  current={reply.values[key] ?? { source: 'default' }}
                  edited={edits[key]}
                  issue={issues.get(key)}
                  onEdit={(value) => edit(key, value)}
                />
              ))}
            </div>
          </details>
        ))}
        <p className="row">
          <button type="submit" className="button main" disabled={Object.keys(edits).length === 0}>
            {t.settings.review}
          </button>
          <span className="faint">{t.settings.edited(Object.keys(edits).length)}</span>
        </p>
      </form>
      {isReviewing && (
        <ReviewDialog edits={edits} hash={reply.hash} onClose={() => setReviewing(false)} />
      )}
    </>
  )
}
