import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { redactStrictly } from '../../../kernel/redaction/redact.ts'
import { createEventQueue, type EventQueue } from './event-queue.ts'
import { type LoginContext, LoginError, type LoginEvent } from './login.ts'

const maxSessions = 8
const maxResponses = 16
const lifetimeMs = 600_000
const maxErrorChars = 500
const maxValueChars = 8_192

interface Session {
  readonly end: AbortController
  readonly queue: EventQueue<LoginEvent>
  /** Unanswered questions. */
  readonly responses: Map<string, (value: string) => void>
}

interface Answer {
  readonly sessionId: string
  readonly responseId: string
  readonly value: string
}

/** The logins that are in progress, in memory. */
export function createLoginSessions(host: Host) {
  const sessions = new Map<string, Session>()
  const open = (providerId: string, run: (context: LoginContext) => Promise<void>) => {
    if (sessions.size >= maxSessions) throw tooMany()
    const id = host.newId()
    const end = new AbortController()
    const queue = createEventQueue<LoginEvent>(() => end.abort(new LoginError(endedEarly)))
    const session: Session = { end, queue, responses: new Map() }
    sessions.set(id, session)
    queue.push({ type: 'session', sessionId: id, providerId })
    void expire(host, end)
    void runLogin(session, () => run(toContext(host, session))).finally(() => {
      sessions.delete(id)
      end.abort()
    })
    return { id, events: queue.events }
  }
  return {
    open,
    /** Each response is taken once. */
    complete: ({ sessionId, responseId, value }: Answer): void => {
      const session = sessions.get(sessionId)
      const resolve = session?.responses.get(responseId)
      if (!session || !resolve)
        throw invalid('The session or the response is unknown or has ended.')
      if (value.trim() === '' || value.length > maxValueChars)
        throw invalid('value must be a text that is not blank')
      session.responses.delete(responseId)
      resolve(value.trim())
    },
    stop: () => {
      for (const { end } of sessions.values()) end.abort(new LoginError('The service stops.'))
    },
    count: () => sessions.size,
  }
}

const endedEarly = 'The login was cancelled.'

async function expire(host: Host, end: AbortController): Promise<void> {
  await host.sleep(lifetimeMs, end.signal)
  end.abort(new LoginError('The login took longer than ten minutes. Start it again.'))
}

/** `done` is the last event, always. */
async function runLogin({ end, queue }: Session, run: () => Promise<void>): Promise<void> {
  try {
    await raceEnd(end.signal, run())
  } catch (error) {
    queue.push({ type: 'error', error: describe(error) })
  }
  queue.push({ type: 'done' })
  queue.close()
}

async function raceEnd(signal: AbortSignal, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
    // The flow ends by the same signal.
    work.catch(() => {})
  }
}

/** Texts of other errors may contain a code or a token. */
function describe(error: unknown): string {
  const isOurs = error instanceof LoginError || error instanceof Refusal
  const text = isOurs ? error.message : 'The login failed.'
  return redactStrictly(text).text.slice(0, maxErrorChars)
}

function toContext(host: Host, { end, queue, responses }: Session): LoginContext {
  return {
    signal: end.signal,
    emit: queue.push,
    askForCode: async (message) => {
      if (responses.size >= maxResponses) throw new LoginError('Too many questions are open.')
      const responseId = host.newId()
      const { promise, resolve } = Promise.withResolvers<string>()
      responses.set(responseId, resolve)
      queue.push({ type: 'manual_code', responseId, message })
      return await promise
    },
  }
}

function tooMany(): Refusal {
  const message = `At most ${maxSessions} logins may be in progress. End one first.`
  return new Refusal('too_many', 'too_many_logins', message)
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', 'invalid_login_response', message)
}
