import { ReverieError, toReverieError } from './reverie-error.ts'

const maxAttempts = 4
const defaultWaitSeconds = 1
const maxWaitSeconds = 5

const readingMethods = ['GET', 'HEAD']
/** With these codes nothing was started, so any request may be repeated. */
const notStartedCodes = ['starting', 'stopping', 'database_busy', 'prompt_overload']

/** Like `fetchWithRetry`, but also throws `ReverieError` for an error status. */
export function createRetryingFetch(timeoutMs: number) {
  return async (request: Request): Promise<Response> => {
    const reply = await fetchWithRetry(request, timeoutMs)
    if (reply.ok) return reply
    throw await toReverieError(reply)
  }
}

/**
 * The reply of any status, after the retries that a refusal allows; throws `ReverieError` without a
 * reply. The timeout covers all attempts and the JSON body.
 */
export async function fetchWithRetry(request: Request, timeoutMs: number): Promise<Response> {
  const deadline = Number.isFinite(timeoutMs) ? [AbortSignal.timeout(timeoutMs)] : []
  try {
    return await attempt(request, AbortSignal.any([request.signal, ...deadline]))
  } catch (error) {
    if (request.signal.aborted) throw error
    const tooSlow = deadline.some(({ aborted }) => aborted)
    throw toUnanswered(request, error, tooSlow ? timeoutMs : undefined)
  }
}

async function attempt(request: Request, signal: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    // A credential is sent to the configured address only.
    const reply = await readWhole(await fetch(request.clone(), { signal, redirect: 'error' }))
    if (reply.status !== 503 || attempt === maxAttempts) return reply
    const { code } = await toReverieError(reply.clone())
    const waitSeconds = secondsToWait(request.method, code, reply.headers)
    if (waitSeconds === undefined) return reply
    await pause(waitSeconds * 1000, signal)
  }
}

/** Reads JSON and errors before the deadline; any other body may be endless. */
async function readWhole(reply: Response): Promise<Response> {
  const isJson = reply.headers.get('content-type')?.includes('json')
  const isNull = [204, 205, 304].includes(reply.status)
  return (isJson || !reply.ok) && !isNull ? new Response(await reply.text(), reply) : reply
}

function secondsToWait(method: string, code: string, headers: Headers): number | undefined {
  const retryAfter = headers.get('retry-after')
  const mayRepeat =
    notStartedCodes.includes(code) || (retryAfter !== null && readingMethods.includes(method))
  const seconds = Number(retryAfter ?? defaultWaitSeconds)
  return mayRepeat && seconds >= 0 && seconds <= maxWaitSeconds ? seconds : undefined
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

function toUnanswered({ url }: Request, cause: unknown, waitedMs: number | undefined) {
  const { origin } = new URL(url)
  return waitedMs === undefined
    ? new ReverieError({ code: 'unreachable', message: `no service answers at ${origin}`, cause })
    : new ReverieError({
        code: 'too_slow',
        cause,
        message: `${origin} did not answer within ${waitedMs / 1000} s`,
      })
}
