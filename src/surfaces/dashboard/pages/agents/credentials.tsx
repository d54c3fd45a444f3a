import { useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Keys } from '../../queries/running.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { Name } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Field, Sheet } from '../../widgets/screen.tsx'

const roles = ['readonly', 'agent', 'operator', 'admin']
const lifetimes = { hour: 3600, day: 86_400, month: 2_592_000 } as const
type Lifetime = keyof typeof lifetimes

interface Issued {
  readonly token: string
  readonly expiresAt: string
}

/** Creates a token that expires. The text of the token is shown once. */
export function TokenForm() {
  const t = useText()
  const [role, setRole] = useState('agent')
  const [lifetime, setLifetime] = useState<Lifetime>('day')
  const [text, setText] = useState<string>()
  const issue = useChange<Issued>('POST /api/auth/token')
  const add = async () => {
    setText((await issue.run({ body: { role, ttlSeconds: lifetimes[lifetime] } })).token)
  }
  if (issue.isMissing) return null
  return (
    <Sheet title={t.running.tokens}>
      <div className="stack">
        <p className="faint">{t.running.tokenNote}</p>
        <Field label={t.running.role}>
          <select value={role} onChange={({ target }) => setRole(target.value)}>
            {roles.map((name) => (
              <option key={name} value={name}>
                {t.running.roles[name] ?? name}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t.running.lifetime}>
          <select value={lifetime} onChange={({ target }) => setLifetime(toLifetime(target.value))}>
            {Object.keys(lifetimes).map((name) => (
              <option key={name} value={name}>
                {t.running.lifetimes[toLifetime(name)]}
              </option>
            ))}
          </select>
        </Field>
        <p>
          <ActionButton label={t.running.createToken} run={add} />
        </p>
        {text !== undefined && <ShownOnce text={text} note={t.running.tokenShownOnce} />}
      </div>
    </Sheet>
  )
}

function toLifetime(value: string): Lifetime {
  return value === 'hour' || value === 'month' ? value : 'day'
}

function ShownOnce({ text, note }: { readonly text: string; readonly note: string }) {
  return (
    <div className="notice warn" role="alert">
      <p>{note}</p>
      <p className="mono">{text}</p>
    </div>
  )
}

/** API keys. The text of a new one is shown once. */
export function KeyList() {
  const t = useText()
  const [name, setName] = useState('')
  const [text, setText] = useState<string>()
  const read = useRead<Keys>('GET /api/auth/api-keys')
  const create = useChange<{ readonly key: string }>('POST /api/auth/api-keys')
  const revoke = useChange('DELETE /api/auth/api-keys/:id')
  const add = async () => {
    setText((await create.run({ body: { name, role: 'agent' } })).key)
    setName('')
  }
  return (
    <Sheet title={t.running.keys}>
      <div className="stack">
        <Field label={t.sources.name}>
          <input value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <p>
          <ActionButton label={t.running.createKey} run={add} isDisabled={name === ''} />
        </p>
        {text !== undefined && <ShownOnce text={text} note={t.running.shownOnce} />}
        <Loaded read={read}>
          {({ keys }) => (
            <ul className="similar">
              {keys.length === 0 && <li className="faint">{t.running.noKeys}</li>}
              {keys.map((key) => (
                <li key={key.id} className="row wrap">
                  <Name text={key.name} /> <span className="chip">{key.role}</span>
                  {!key.revokedAt && (
                    <span className="push">
                      <ConfirmButton
                        label={t.running.revoke}
                        tone="danger"
                        title={t.running.revokeTitle(cleanName(key.name))}
                        confirm={t.running.revokeConfirm}
                        run={() => revoke.run({ path: { id: key.id } })}
                        done={t.running.done}
                      >
                        <p>{t.running.revokeText}</p>
                      </ConfirmButton>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Sheet>
  )
}
