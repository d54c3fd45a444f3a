import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { call, setCsrf } from '../queries/api.ts'
import { ErrorPanel } from '../widgets/loaded.tsx'
import { Field } from '../widgets/screen.tsx'

interface MethodsReply {
  readonly methods: readonly { readonly name: string; readonly available: boolean }[]
}

interface CredentialsProps {
  readonly onSignedIn: () => Promise<unknown> | undefined
  /** Absent where the page cannot go on without a sign-in. */
  readonly onCancel?: () => void
}

/** The fields of a sign-in. The token becomes a cookie and is stored nowhere in the page. */
export function Credentials({ onSignedIn, onCancel }: CredentialsProps) {
  const t = useText()
  const [error, setError] = useState<unknown>()
  const [hasPassword, setPassword] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as Fields
    try {
      await signIn(fields)
      await onSignedIn()
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {error !== undefined && <Refusal error={error} />}
      {hasPassword ? (
        <>
          <Field label={t.signIn.username}>
            <input name="username" autoComplete="username" required />
          </Field>
          <Field label={t.signIn.password}>
            <input name="password" type="password" autoComplete="current-password" required />
          </Field>
        </>
      ) : (
        <Field label={t.signIn.token} note={t.signIn.tokenNote}>
          <input name="token" type="password" autoComplete="off" required />
        </Field>
      )}
      <MethodSwitch hasPassword={hasPassword} onChange={setPassword} />
      <div className="actions">
        {onCancel && (
          <button className="button" type="button" onClick={onCancel}>
            {t.common.cancel}
          </button>
        )}
        <button className="button main" type="submit">
          {t.signIn.button}
        </button>
      </div>
    </form>
  )
}

interface Fields {
  readonly token?: string
  readonly username?: string
  readonly password?: string
}

async function signIn({ token, username, password }: Fields): Promise<void> {
  const login = { body: { username, password } }
  const bearer =
    token?.trim() ?? (await call<{ readonly token: string }>('POST /api/auth/login', login)).token
  const headers = { authorization: `Bearer ${bearer}` }
  const input = { body: { cookie: true } }
  const { csrf } = await call<{ readonly csrf?: string }>('POST /api/auth/session', input, {
    headers,
  })
  setCsrf(csrf)
}

/** A wrong credential gets one sentence; anything else is shown as it is. */
function Refusal({ error }: { readonly error: unknown }) {
  const t = useText()
  if (Object(error).status !== 401) return <ErrorPanel error={error} />
  return (
    <div className="notice" role="alert">
      <p>{t.signIn.refused}</p>
    </div>
  )
}

interface SwitchProps {
  readonly hasPassword: boolean
  readonly onChange: (hasPassword: boolean) => void
}

/** Only a service with a password offers it. */
function MethodSwitch({ hasPassword, onChange }: SwitchProps) {
  const t = useText()
  const { data } = useQuery({
    queryKey: ['session', 'methods'],
    queryFn: ({ signal }) => call<MethodsReply>('GET /api/auth/methods', {}, { signal }),
    retry: false,
  })
  if (!data?.methods.some(({ name, available }) => name === 'password' && available)) return null
  return (
    <p>
      <button type="button" className="linklike" onClick={() => onChange(!hasPassword)}>
        {hasPassword ? t.signIn.withToken : t.signIn.withPassword}
      </button>
    </p>
  )
}
