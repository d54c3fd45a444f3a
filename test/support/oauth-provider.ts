import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type DeviceAnswer =
  | 'approve'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

/** A provider of logins on loopback: device codes, browser logins with PKCE, keys, refresh. */
export interface OAuthUpstream {
  readonly url: string
  /** The answers to polls for a device code, in order; the last one repeats. */
  answerDevice(...answers: readonly DeviceAnswer[]): void
  /** While held, no request for a refresh is answered. */
  holdRefresh(isHeld: boolean): void
  /** Lifetime of the tokens that are issued from now on. */
  issueFor(seconds: number): void
  /** Refuses refresh tokens from now on. */
  revoke(): void
  /** Every request for a token, as its parameters. */
  readonly tokenRequests: readonly Readonly<Record<string, string>>[]
  /** Follows the authorization address as a browser would; returns the address of the callback. */
  approve(authorizationUrl: string): string
  stop(): Promise<void>
}

/** Built from parts, so that no scanner takes it for a credential. */
export const tokenOf = (kind: 'access' | 'refresh' | 'key', number: number) =>
  ['synthetic', kind, 'token', String(number)].join('-')

interface State {
  device: readonly DeviceAnswer[]
  isRevoked: boolean
  isHeld: boolean
  lifetimeSeconds: number
  issued: number
  readonly challenges: Map<string, string>
  readonly tokenRequests: Readonly<Record<string, string>>[]
}

export async function startOAuthProvider(): Promise<OAuthUpstream> {
  const state: State = {
    device: ['approve'],
    isRevoked: false,
    isHeld: false,
    lifetimeSeconds: 3_600,
    issued: 0,
    challenges: new Map(),
    tokenRequests: [],
  }
  const server = createServer((request, response) => void serve(state, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerDevice: (...answers) => {
      state.device = answers
    },
    holdRefresh: (isHeld) => {
      state.isHeld = isHeld
    },
    issueFor: (seconds) => {
      state.lifetimeSeconds = seconds
    },
    revoke: () => {
      state.isRevoked = true
    },
    tokenRequests: state.tokenRequests,
    approve: (address) => approve(state, new URL(address)),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function approve(state: State, { searchParams }: URL): string {
  const code = `code-${state.challenges.size + 1}`
  state.challenges.set(code, searchParams.get('code_challenge') ?? '')
  const callback = new URL(
    searchParams.get('redirect_uri') ?? searchParams.get('callback_url') ?? '',
  )
  callback.searchParams.set('code', code)
  const sent = searchParams.get('state')
  if (sent) callback.searchParams.set('state', sent)
  return callback.href
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse) {
  const text = await readText(request)
  if (request.url === '/device')
    return send(response, 200, {
      device_code: 'device-code-1',
      user_code: 'ABCD-EFGH',
      verification_uri: 'https://login.example/device',
      expires_in: 600,
      interval: 1,
    })
  if (request.url === '/api/v1/auth/keys') return sendKey(state, JSON.parse(text), response)
  const params = Object.fromEntries(new URLSearchParams(text))
  state.tokenRequests.push(params)
  if (state.isHeld && params['grant_type'] === 'refresh_token') return
  const error = findError(state, params)
  if (error) return send(response, 400, { error, error_description: 'The fake provider refuses.' })
  state.issued += 1
  send(response, 200, {
    token_type: 'bearer',
    access_token: tokenOf('access', state.issued),
    refresh_token: tokenOf('refresh', state.issued),
    expires_in: state.lifetimeSeconds,
  })
}

function findError(state: State, params: Readonly<Record<string, string>>): string | undefined {
  if (params['grant_type'] === 'refresh_token') return state.isRevoked ? 'invalid_grant' : undefined
  if (params['grant_type'] === 'authorization_code')
    return redeem(state, params) ? undefined : 'invalid_grant'
  const [answer = 'approve', ...others] = state.device
  if (others.length > 0) state.device = others
  return answer === 'approve' ? undefined : answer
}

/** A code is accepted once, with the verifier of its challenge. */
function redeem(state: State, { code = '', code_verifier: verifier = '' }: Record<string, string>) {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isValid = state.challenges.get(code) === challenge
  state.challenges.delete(code)
  return isValid
}

function sendKey(state: State, body: Record<string, string>, response: ServerResponse): void {
  if (redeem(state, body)) send(response, 200, { key: tokenOf('key', 1) })
  else send(response, 403, { error: 'invalid code' })
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
