import { type FormEvent, useState } from 'react'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { PluginEvents } from '../../queries/extensions.ts'
import { useChange, useRead } from '../../queries/read.ts'
import type { SecretList } from '../../queries/sources.ts'
import { Name } from '../../text/plain-text.tsx'
import { ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Empty, Field, Screen, Sheet } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { Pairs, Time } from '../../widgets/values.tsx'

interface Vault {
  readonly state: string
  readonly secrets: number
  readonly unreadable: number
}

/** The names of secrets. No value is ever shown. */
export function Page() {
  const t = useText()
  const format = useFormat()
  const vault = useRead<Vault>('GET /api/secrets/vault-local/status')
  return (
    <Screen name={t.screens.secrets} lede={t.running.secretsLede}>
      <div className="grid two">
        <Names />
        <div className="stack">
          <PutSecret />
          <Sheet title={t.running.vault}>
            <Loaded read={vault}>
              {({ state, secrets, unreadable }) => (
                <Pairs
                  rows={[
                    [t.memories.state, state],
                    [t.screens.secrets, format.number(secrets)],
                    [t.running.unreadable, format.number(unreadable)],
                  ]}
                />
              )}
            </Loaded>
          </Sheet>
        </div>
      </div>
    </Screen>
  )
}

function Names() {
  const t = useText()
  const read = useRead<SecretList>('GET /api/secrets')
  const uses = useLastUses()
  const remove = useChange('DELETE /api/secrets/:name')
  return (
    <Sheet title={t.running.secretNames} aside={read.data?.secrets.length} isFlush>
      <Loaded read={read}>
        {({ secrets }) =>
          secrets.length === 0 ? (
            <Empty title={t.running.noSecrets} text={t.running.noSecretsText} />
          ) : (
            <ul className="lines" aria-label={t.screens.secrets}>
              {secrets.map((name) => (
                <li key={name} className="single">
                  <i className="dot lamp" aria-hidden="true" />
                  <p className="mono">
                    <Name text={name} />
                  </p>
                  {uses && <LastUse at={uses.get(name)} />}
                  <span className="push">
                    <ConfirmButton
                      label={t.sources.remove}
                      tone="danger"
                      title={t.sources.removeTitle(name)}
                      confirm={t.sources.removeConfirm}
                      run={() => remove.run({ path: { name } })}
                      done={t.sources.removed}
                    >
                      <p>{t.running.removeSecretText}</p>
                    </ConfirmButton>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

function LastUse({ at }: { readonly at: string | undefined }) {
  const t = useText()
  return (
    <span className="faint">
      {at === undefined ? (
        t.running.noRecordedUse
      ) : (
        <>
          {t.running.usedByCommand} <Time at={at} />
        </>
      )}
    </span>
  )
}

/** The time of the last command that used a secret, by the name of the secret. The audit log names no value. */
function useLastUses(): ReadonlyMap<string, string> | undefined {
  const query = { event: 'secret.resolved_for_exec', limit: 500 }
  const { data } = useRead<PluginEvents>('GET /api/plugins/audit', { query })
  if (!data) return undefined
  const uses = new Map<string, string>()
  for (const {
    timestamp,
    data: { references },
  } of data.events.toReversed())
    for (const reference of Array.isArray(references) ? references : [])
      uses.set(String(reference).replace('local://', ''), timestamp)
  return uses
}

function PutSecret() {
  const t = useText()
  const notify = useNotify()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const put = useChange('POST /api/secrets/:name')
  const { run, failure, isRunning } = useRun(async () => {
    setValue('')
    await put.run({ path: { name }, body: { value } })
    notify({ text: t.memories.edited })
    setName('')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  return (
    <Sheet title={t.running.putSecret}>
      <form className="stack" onSubmit={submit}>
        <Field label={t.sources.name}>
          <input value={name} onChange={({ target }) => setName(target.value)} required />
        </Field>
        <Field label={t.running.value}>
          <input
            type="password"
            autoComplete="off"
            value={value}
            onChange={({ target }) => setValue(target.value)}
            required
          />
        </Field>
        {failure}
        <p>
          <button type="submit" className="button main" disabled={isRunning}>
            {t.common.save}
          </button>
        </p>
      </form>
    </Sheet>
  )
}
