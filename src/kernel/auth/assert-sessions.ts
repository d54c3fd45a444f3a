import type { Caller } from './caller.ts'
import type { RequestParts } from './resolve-caller.ts'

/** Refuses a session that is stored outside the project of the caller's token. */
export type AssertSession = (caller: Caller, sessionKey: string) => Promise<void>

const inParams = ['key', 'sessionKey']
const inHeaders = ['x-svc-session-key']
const inContent = [
  'sessionKey',
  'session_key',
  'sessionId',
  'session_id',
  'parentSessionKey',
  'parentKey',
  'parentId',
  'parentID',
  'currentSessionKey',
  'current_session_key',
]

/** Checks every session key in the body, query, path and headers of a request. */
export async function assertSessions(
  caller: Caller,
  { body, query, params, headers }: Omit<RequestParts, 'requestId'>,
  assertSession: AssertSession | undefined,
): Promise<void> {
  if (caller.scope.project === undefined || !assertSession) return
  const keys = new Set([
    ...listTexts(params, inParams),
    ...listTexts(headers, inHeaders),
    ...listTexts(query, inContent),
    ...listTexts(body, inContent),
  ])
  for (const key of keys) await assertSession(caller, key)
}

function listTexts(place: unknown, names: readonly string[]): readonly string[] {
  const fields: Readonly<Record<string, unknown>> = Object(place)
  return names.map((name) => fields[name]).filter((value) => typeof value === 'string')
}
