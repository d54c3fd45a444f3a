import { ReverieError, toReverieError } from './reverie-error.ts'

const maxAttempts = 4
const defaultWaitSeconds = 1
const maxWaitSeconds = 5

const readingMethods = ['GET', 'HEAD']
/** With these nothing was begun, and so anything may be sent again. */
const notStartedCodes = ['starting', 'stopping', 'database_busy', 'prompt_overload']

/** As `fetchPatiently`, and throws `ReverieError` for a status that is not good as well. */
export function createRetryingFetch(timeoutMs: number) {
  return async (request: Request): Promise<Response> => {
    const reply = await fetchWithRetry(request, timeoutMs)
    if (reply.ok) return reply
    throw await toReverieError(reply)
  }
}

/**
 * The reply of any status, after coming back as often as a refusal says so; throws `ReverieError` where
 * there is none. The time is for one call with all its attempts and its whole JSON.
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
    // A credential goes to the address that was named and nowhere else.
    const reply = await readWhole(await fetch(request.clone(), { signal, redirect: 'error' }))
    if (reply.status !== 503 || attempt === maxAttempts) return reply
    const { code } = await toReverieError(reply.clone())
    const waitSeconds = secondsToWait(request.method, code, reply.headers)
    if (waitSeconds === undefined) return reply
    await pause(waitSeconds * 1000, signal)
  }
}

/** Here, where the deadline holds; what is good and no JSON may be endless. */
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
        ...{ code: 'too_slow', cause },
        message: `${origin} did not answer within ${waitedMs / 1000} s`,
      })
}
