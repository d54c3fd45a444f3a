import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { SessionRow } from '../../../client/wire.ts'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMissing } from '../name-missing.ts'
import { toLine } from '../output.ts'
import { renderTable } from '../table.ts'

export interface SessionSearchOptions {
  readonly limit?: number
  readonly project?: string
}

export interface BypassOptions {
  readonly off?: boolean
}

const hint = 'List the sessions with: reverie sessions list, or reverie sessions search'

export async function list({ output, connect }: Call): Promise<void> {
  const reply = await (await connect()).sessions.list()
  output.result(reply, () =>
    reply.count === 0 ? 'No session is open.' : renderSessions(reply.sessions),
  )
}

/** An ended session has its transcript alone, an open one perhaps none yet. */
export async function show({ args: [key = ''], output, connect }: Call): Promise<void> {
  const { sessions } = await connect()
  const [session, transcript] = await Promise.all([
    orNull(sessions.read(key)),
    orNull(sessions.transcript(key)),
  ])
  if (!session && !transcript)
    throw new CliError('not_found', 'not_found', `there is no session ${key}`, hint)
  output.result({ key, session, transcript: transcript?.content ?? null }, () =>
    [
      session ? renderSessions([session]) : `Session ${toLine(key)} is not open.`,
      transcript ? neutralize(transcript.content) : 'It has no transcript yet.',
    ].join('\n\n'),
  )
}

export async function search({
  args,
  options,
  output,
  connect,
}: Call<SessionSearchOptions>): Promise<void> {
  const { limit, project } = options
  const body = { query: args[0] ?? '', limit, project }
  const reply = await (await connect()).sessions.search(body)
  output.result(reply, () =>
    reply.count === 0
      ? 'No transcript matches. Try fewer or other words.'
      : reply.hits
          .map(({ sessionKey, updatedAt, project, excerpt }) => {
            const title = [sessionKey, updatedAt.slice(0, 10), project].filter(Boolean).join(' · ')
            return `${colors.cyan(toLine(title))}\n  ${toLine(excerpt, 300)}`
          })
          .join('\n'),
  )
}

export async function bypass({
  args,
  options,
  output,
  connect,
}: Call<BypassOptions>): Promise<void> {
  const [key = ''] = args
  const enabled = !options.off
  const { sessions } = await connect()
  const named = { what: `session ${key}`, hint }
  const reply = await nameMissing(sessions.bypass(key, { enabled }), named)
  const state = reply.bypassed ? 'off' : 'on'
  output.result(reply, () => `${colors.green('✓')} The hooks of ${toLine(key)} are ${state}.`)
}

async function orNull<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ReverieError && error.status === 404) return null
    throw error
  }
}

function renderSessions(sessions: readonly SessionRow[]): string {
  const rows = sessions.map(({ key, harness, project, claimedAt, bypassed }) => [
    key,
    harness ?? '',
    toLine(project ?? '', 40),
    claimedAt.slice(0, 16),
    bypassed ? 'off' : 'on',
  ])
  return renderTable(['key', 'harness', 'project', 'since', 'hooks'], rows)
}
