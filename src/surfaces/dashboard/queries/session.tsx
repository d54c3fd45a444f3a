import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { call, ReverieError, setCsrf } from './api.ts'
import { operations, type RouteName } from './operations.ts'

interface Session {
  readonly signedIn: boolean
  readonly mode: string
  readonly name?: string | null
  readonly role?: string | null
  /** Undefined when the service does not list them: every operation counts as present. */
  readonly operations?: readonly string[]
  readonly csrf?: string
}

const local: Session = { signedIn: true, mode: 'local' }
const SessionContext = createContext<Session>(local)

/** Reads who the caller is and what the caller may do, before anything else. */
export function useSessionRead() {
  return useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const handoff = { isRefused: false }

/** Whether the address had a code that is used up or too old. */
export function wasCodeRefused(): boolean {
  return handoff.isRefused
}

/** Exchanges the code of the address for a cookie. The code leaves the address before that. */
async function redeemCode(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return
  history.replaceState(null, '', location.pathname + location.search)
  try {
    await call('POST /api/auth/handoff/redeem', { body: { code, cookie: true } })
  } catch (error) {
    // A service of this machine alone needs no sign-in and refuses the code.
    handoff.isRefused = error instanceof ReverieError
  }
}

async function readSession({ signal }: { readonly signal: AbortSignal }): Promise<Session> {
  await redeemCode()
  try {
    const session = await call<Session>('GET /api/auth/session', {}, { signal })
    setCsrf(session.csrf)
    return session
  } catch (error) {
    if (!(error instanceof ReverieError) || error.status !== 404) throw error
    return local
  }
}

export function SessionProvider({ session, children }: ProviderProps) {
  return <SessionContext value={session}>{children}</SessionContext>
}

interface ProviderProps {
  readonly session: Session
  readonly children: ReactNode
}

/** Who the caller is. */
export function useSession(): Session {
  return useContext(SessionContext)
}

/** Returns whether this build has the operation of a route and the caller may call it. */
export function useCanCall(): (route: RouteName) => boolean {
  const { operations: known } = useContext(SessionContext)
  return (route) => known === undefined || known.includes(operations[route])
}
