import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { onSignedOut } from '../queries/api.ts'
import { wasCodeRefused } from '../queries/session.tsx'
import { Dialog } from '../widgets/dialog.tsx'
import { Brand } from '../widgets/icon.tsx'
import { Credentials } from './credentials.tsx'

/** The page of a caller who is not signed in. */
export function SignIn() {
  const t = useText()
  const queries = useQueryClient()
  return (
    <main className="alone">
      <div className="sheet pad stack">
        <p className="brand">
          <Brand />
          {'Reverie'}
        </p>
        <h1>{t.signIn.title}</h1>
        {wasCodeRefused() && (
          <div className="notice" role="alert">
            <p>{t.signIn.codeRefused}</p>
          </div>
        )}
        <Credentials onSignedIn={() => queries.invalidateQueries()} />
      </div>
    </main>
  )
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks for a sign-in over the page when a call is refused for want of one. What was typed stays,
 * and the call is sent once more.
 */
export function SignInDialog() {
  const t = useText()
  const queries = useQueryClient()
  const waiting = useRef<Waiting[]>([])
  const [isOpen, setOpen] = useState(false)
  useEffect(
    () =>
      onSignedOut(
        (error) =>
          new Promise<void>((resolve, reject) => {
            waiting.current.push({ resolve, reject: () => reject(error) })
            setOpen(true)
          }),
      ),
    [],
  )
  if (!isOpen) return null
  const settle = (name: keyof Waiting) => {
    setOpen(false)
    for (const call of waiting.current.splice(0)) call[name](undefined)
  }
  const goOn = () => {
    settle('resolve')
    return queries.invalidateQueries({ queryKey: ['session'] })
  }
  return (
    <Dialog title={t.signIn.title} onClose={() => settle('reject')}>
      <p>{t.signIn.again}</p>
      <Credentials onSignedIn={goOn} onCancel={() => settle('reject')} />
    </Dialog>
  )
}
