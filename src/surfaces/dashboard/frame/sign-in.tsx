import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { call } from '../queries/api.ts'
import { Brand } from '../widgets/icon.tsx'
import { Field } from '../widgets/screen.tsx'

/** The token becomes a cookie and is stored nowhere in the page. */
export function SignIn() {
  const t = useText()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    const headers = { authorization: `Bearer ${token}` }
    try {
      await call('POST /api/auth/session', { body: { cookie: true } }, { headers })
      await queries.invalidateQueries()
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <main className="alone">
      <form className="sheet pad stack" onSubmit={(event) => void submit(event)}>
        <p className="brand">
          <Brand />
          {'Reverie'}
        </p>
        <h1>{t.signIn.title}</h1>
        {error !== undefined && (
          <div className="notice" role="alert">
            <p>{t.signIn.refused}</p>
          </div>
        )}
        <Field label={t.signIn.token} note={t.signIn.tokenNote}>
          <input name="token" type="password" autoComplete="off" required />
        </Field>
        <button className="button main" type="submit">
          {t.signIn.button}
        </button>
      </form>
    </main>
  )
}
