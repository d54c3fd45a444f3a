/** The result of a login, as it is stored. */
export interface LoginCredential {
  readonly access: string
  readonly refresh: string | null
  /** Epoch milliseconds; null for a credential that does not expire. */
  readonly expires: number | null
}

export type LoginEvent =
  | { readonly type: 'session'; readonly sessionId: string; readonly providerId: string }
  | { readonly type: 'auth'; readonly url: string; readonly instructions?: string }
  | {
      readonly type: 'device_code'
      readonly userCode: string
      readonly verificationUri: string
      readonly intervalSeconds?: number
      readonly expiresInSeconds?: number
    }
  | { readonly type: 'manual_code'; readonly responseId: string; readonly message: string }
  | { readonly type: 'progress'; readonly message: string }
  | { readonly type: 'connected'; readonly providerId: string }
  | { readonly type: 'error'; readonly error: string }
  | { readonly type: 'done' }

/** What a flow needs of its session. */
export interface LoginContext {
  emit(event: LoginEvent): void
  /** Emits `manual_code` and resolves with the value that the user sends. */
  askForCode(message: string): Promise<string>
  /** Aborts with the session. */
  readonly signal: AbortSignal
}

export interface LoginProvider {
  readonly id: string
  readonly name: string
  readonly usesCallbackServer: boolean
  login(context: LoginContext): Promise<LoginCredential>
  /** Absent for credentials that do not expire. */
  readonly refresh?: (refreshToken: string) => Promise<LoginCredential>
}

/** A failure whose message is for the user. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
  /** The error code of the provider, such as `invalid_grant`. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}
