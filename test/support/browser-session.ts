import type { Claims, Role } from './credentials.ts'
import type { Service } from './start-service.ts'

type CookieHeaders = Readonly<Record<'cookie' | 'x-svc-csrf' | 'sec-fetch-site', string>>

/** Signs browsers in, once for each credential. Returns the headers that a page sends. */
export function createCookies(service: Pick<Service, 'ask' | 'tokenFor'>) {
  const signedIn = new Map<string, Promise<CookieHeaders>>()
  return (role: Role, scope?: Claims['scope']): Promise<CookieHeaders> => {
    const name = JSON.stringify([role, scope])
    const headers =
      signedIn.get(name) ?? signIn(service, service.tokenFor(role, scope), scope?.agent)
    signedIn.set(name, headers)
    return headers
  }
}

export async function signIn(
  service: Pick<Service, 'ask'>,
  token: string,
  agent = 'ada',
): Promise<CookieHeaders> {
  const { status, body, headers } = await service.ask('POST /api/auth/session', {
    role: 'anonymous',
    agent,
    headers: { authorization: `Bearer ${token}` },
    body: { cookie: true },
  })
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  if (status !== 200 || cookie === '') throw new Error(`No cookie: ${JSON.stringify(body)}`)
  return { cookie, 'x-svc-csrf': String(body['csrf']), 'sec-fetch-site': 'same-origin' }
}
