import { startCallbackServer } from './callback-server.ts'
import { type LoginContext, type LoginCredential, LoginError } from './login.ts'
import { createChallenge, type Protocol, toLoginError } from './protocol.ts'

interface BrowserOptions {
  readonly authorizationEndpoint: string
  /** 0 is any free port. */
  readonly callbackPort: number
  readonly callbackPath: string
  /** Without a named issuer, the parameter `iss` cannot be checked. */
  readonly hasIssuer: boolean
}

const question = 'Paste the code, or the whole address of the page after the login.'

/** RFC 7636 and 8252: the browser of the user, PKCE, and a callback on this machine. */
export async function loginByBrowser(
  protocol: Protocol,
  options: BrowserOptions,
  context: LoginContext,
): Promise<LoginCredential> {
  const { verifier, challenge, state } = await createChallenge()
  const callback = await startCallbackServer({
    ports: [options.callbackPort],
    path: options.callbackPath,
    accepts: (params) => params.get('state') === state,
  })
  context.signal.addEventListener('abort', callback.close)
  try {
    const redirectUri = callback.origin + options.callbackPath
    const url = new URL(options.authorizationEndpoint)
    const query = {
      response_type: 'code',
      client_id: protocol.clientId,
      redirect_uri: redirectUri,
      scope: protocol.scope,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    context.emit({ type: 'auth', url: url.href })
    const manual = context.askForCode(question).then((text) => readPasted(text, state))
    const params = await Promise.race([callback.params, manual])
    if (!options.hasIssuer) params.delete('iss')
    context.emit({ type: 'progress', message: 'The code is exchanged.' })
    return await protocol.redeemCode({ params, redirectUri, verifier, state })
  } catch (error) {
    throw toLoginError(error)
  } finally {
    context.signal.removeEventListener('abort', callback.close)
    callback.close()
  }
}

/** The state of a pasted address is checked; a bare code comes from the user and has none. */
function readPasted(text: string, state: string): URLSearchParams {
  const address = /^https?:/i.test(text) ? URL.parse(text) : null
  if (!address) return new URLSearchParams({ code: text, state })
  if (address.searchParams.get('state') !== state)
    throw new LoginError('The address belongs to another login.')
  return address.searchParams
}
