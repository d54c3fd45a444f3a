import { ReverieError } from '../../../client/public/reverie-error.ts'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { type Call, command } from '../command.ts'
import { missing } from '../ids.ts'
import { sessionColumns } from '../operations.ts'
import { toLine } from '../output.ts'
import { renderRows } from '../render.ts'

const list = 'reverie sessions list, or reverie sessions search'

export const showSession = command({
  usage: 'sessions show <key>',
  summary: 'Show a session and its transcript',
  examples: ['reverie sessions show 6b1f0c9e'],
  run: show,
})

/** An ended session has only a transcript; an open one may have none yet. */
async function show({ args: [key = ''], output, connect }: Call): Promise<void> {
  const { call } = await connect()
  const [session, transcript] = await Promise.all([
    orNull(call('GET /api/sessions/:key', { path: { key } })),
    orNull(call('GET /api/sessions/:key/transcript', { path: { key } })),
  ])
  if (!session && !transcript) throw missing(key, { noun: 'session', list })
  output.result({ key, session, transcript: transcript?.content ?? null }, () =>
    [
      session ? renderRows([session], sessionColumns) : `Session ${toLine(key)} is not open.`,
      transcript ? neutralize(transcript.content) : 'It has no transcript yet.',
    ].join('\n\n'),
  )
}

async function orNull<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ReverieError && error.status === 404) return null
    throw error
  }
}
