import { readStream } from '../../queries/read-stream.ts'

export interface LoginStep {
  readonly type: string
  readonly sessionId?: string
  readonly url?: string
  readonly instructions?: string
  readonly userCode?: string
  readonly verificationUri?: string
  readonly responseId?: string
  readonly message?: string
  readonly error?: string
}

/** Starts a login and reports its steps until it ends. Leaving the dialog ends it. */
export async function followLogin(
  id: string,
  report: (step: LoginStep) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const request = { route: 'POST /api/inference/oauth/login/:id', input: { path: { id } } }
    await readStream(request, (data) => report(JSON.parse(data) as LoginStep), signal)
  } catch (error) {
    if (!signal.aborted)
      report({ type: 'error', error: error instanceof Error ? error.message : String(error) })
  }
}
