import { createFetch } from '../../../kernel/outbound/create-fetch.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { startCallbackServer } from './callback-server.ts'
import { type LoginContext, type LoginCredential, LoginError, type LoginProvider } from './login.ts'

const defaultSite = 'https://openrouter.ai'
/** The documented port for programs on the user's machine, or else any. */
const callbackPorts = [3_000, 0]
const question = 'Paste the code, or the whole address of the page after the login.'
const limits = { maxBytes: 65_536, timeoutMs: 30_000 }

interface OpenRouterNeeds {
  readonly outbound: Pick<Outbound, 'open'>
  /** Tests have a site and ports of their own. */
  readonly site?: string
  readonly ports?: readonly number[]
}

/** OpenRouter's login for any program: PKCE without a client id. It ends in a key of the user's own. */
export function createOpenRouterLogin(needs: OpenRouterNeeds): LoginProvider {
  return {
    id: 'openrouter',
    name: 'OpenRouter',
    usesCallbackServer: true,
    login: (context) => login(needs, context),
  }
}

async function login(needs: OpenRouterNeeds, context: LoginContext): Promise<LoginCredential> {
  const { site = defaultSite, ports = callbackPorts } = needs
  const { createChallenge } = await import('./protocol.ts')
  const { verifier, challenge, state } = await createChallenge()
  // The flow has no parameter `state`, so that the path contains it.
  const path = `/callback/${state}`
  const callback = await startCallbackServer({ ports, path, accepts: (query) => query.has('code') })
  context.signal.addEventListener('abort', callback.close)
  try {
    const url = new URL('/auth', site)
    url.searchParams.set('callback_url', callback.origin.replace('127.0.0.1', 'localhost') + path)
    url.searchParams.set('code_challenge', challenge)
    url.searchParams.set('code_challenge_method', 'S256')
    context.emit({ type: 'auth', url: url.href })
    const pasted = context.askForCode(question).then((text) => readCode(text, path))
    const received = callback.params.then((params) => params.get('code') ?? '')
    const code = await Promise.race([received, pasted])
    return await exchange({ ...needs, site }, { code, verifier, signal: context.signal })
  } finally {
    context.signal.removeEventListener('abort', callback.close)
    callback.close()
  }
}

function readCode(text: string, path: string): string {
  const address = /^https?:/i.test(text) ? URL.parse(text) : null
  if (!address) return text
  if (address.pathname !== path) throw new LoginError('The address belongs to another login.')
  return address.searchParams.get('code') ?? ''
}

interface Exchange {
  readonly code: string
  readonly verifier: string
  readonly signal: AbortSignal
}

async function exchange(
  { outbound, site }: OpenRouterNeeds & { readonly site: string },
  { code, verifier, signal }: Exchange,
): Promise<LoginCredential> {
  const { origin } = new URL(site)
  const send = createFetch({ outbound, origin, allowLoopback: true, ...limits })
  const response = await send(`${origin}/api/v1/auth/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: 'S256' }),
    signal,
  })
  if (!response.ok) throw new LoginError(`OpenRouter refused the code (status ${response.status}).`)
  const reply: unknown = await response.json().catch(() => undefined)
  const { key } = Object(reply)
  if (typeof key !== 'string' || key === '') throw new LoginError('OpenRouter has sent no key.')
  return { access: key, refresh: null, expires: null }
}
