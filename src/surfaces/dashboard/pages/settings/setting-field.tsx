import { useId } from 'react'
import { useText } from '../../i18n/language.tsx'
import {
  fromFieldText,
  type SettingSchema,
  type SettingValue,
  toFieldText,
} from '../../queries/settings.ts'
import { PlainText } from '../../text/plain-text.tsx'

interface SettingProps {
  readonly name: string
  readonly schema: SettingSchema
  readonly current: SettingValue
  /** Undefined while the setting is not edited. */
  readonly edited: unknown
  readonly issue: string | undefined
  readonly onEdit: (value: unknown) => void
}

/** One setting: its field, where its value comes from, and what is wrong with it. */
export function SettingField(props: SettingProps) {
  const t = useText()
  const id = useId()
  const { name, schema, current, edited, issue, onEdit } = props
  const isHeld = current.source === 'environment'
  const noteId = `${id}-note`
  return (
    <div className={edited === undefined ? 'input' : 'input changed'}>
      <label htmlFor={id}>
        <code className="mono">{name}</code>
      </label>
      <Control
        schema={schema}
        current={current}
        edited={edited}
        onEdit={onEdit}
        attributes={{
          id,
          disabled: isHeld,
          'aria-describedby': noteId,
          'aria-invalid': issue !== undefined,
        }}
      />
      <small id={noteId}>
        <span lang="en">{schema.description}</span> <Marks schema={schema} current={current} />
        {issue !== undefined && (
          <span className="wrong" role="alert">
            <PlainText text={issue} />
          </span>
        )}
      </small>
      {(edited !== undefined || current.source === 'file') && (
        <p className="row">
          {edited !== undefined && (
            <button type="button" className="linklike" onClick={() => onEdit(undefined)}>
              {t.settings.revert} <span className="unseen">{name}</span>
            </button>
          )}
          {current.source === 'file' && edited !== null && (
            <button type="button" className="linklike" onClick={() => onEdit(null)}>
              {t.settings.useDefault} <span className="unseen">{name}</span>
            </button>
          )}
        </p>
      )}
    </div>
  )
}

function Marks({ schema, current }: Pick<SettingProps, 'schema' | 'current'>) {
  const t = useText()
  const { default: fallback, 'x-unit': unit, 'x-restart': restart } = schema
  const isHeld = current.source === 'environment'
  return (
    <>
      {unit !== undefined && `${t.settings.unit(unit)} `}
      {fallback !== undefined && `${t.settings.default(toFieldText(fallback))} `}
      <span className="chip">{t.settings.sources[current.source]}</span>{' '}
      {isHeld && <code className="mono">{schema['x-environment']}</code>}
      {restart && <span className="chip warn">{t.settings.restart}</span>}
    </>
  )
}

interface ControlProps extends Pick<SettingProps, 'schema' | 'current' | 'edited' | 'onEdit'> {
  readonly attributes: {
    readonly id: string
    readonly disabled: boolean
    readonly 'aria-describedby': string
    readonly 'aria-invalid': boolean
  }
}

function Control({ schema, current, edited, onEdit, attributes }: ControlProps) {
  const t = useText()
  const isSecret = Object(current.value).set === true
  const stored = isSecret ? '' : toFieldText(current.value)
  const text = edited === undefined ? stored : toFieldText(edited)
  const change = ({ target }: { readonly target: { readonly value: string } }) => {
    const value = fromFieldText(target.value, schema)
    onEdit(toFieldText(value) === stored ? undefined : value)
  }
  const options = schema.type === 'boolean' ? [true, false] : schema.enum
  if (options)
    return (
      <select {...attributes} value={text} onChange={change}>
        <option value="">{t.settings.unset}</option>
        {options.map((option) => (
          <option key={String(option)}>{String(option)}</option>
        ))}
      </select>
    )
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return (
    <input
      {...attributes}
      type={isSecret ? 'password' : 'text'}
      inputMode={isNumber ? 'decimal' : 'text'}
      autoComplete="off"
      placeholder={isSecret ? t.settings.isSet : undefined}
      value={text}
      onChange={change}
    />
  )
}
