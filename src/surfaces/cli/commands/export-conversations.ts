import type { Client } from '../../../client/client.ts'
import { toReverieError } from '../../../client/public/reverie-error.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command, option } from '../command.ts'
import { colors } from '../output.ts'
import { busyWith } from '../progress.ts'
import { writeAtomically } from './export.ts'

interface Options {
  readonly harness?: readonly string[]
  readonly since?: string
  readonly until?: string
}

export const exportConversations = command<Options>({
  usage: 'export conversations <file>',
  summary: 'Write imported and captured conversations to a file; - writes to stdout',
  options: [
    option('--harness <name>', 'only conversations of this program; repeatable', { type: 'list' }),
    option('--since <time>', 'only conversations that began then or later', { type: 'start' }),
    option('--until <time>', 'only conversations that began then or earlier', { type: 'end' }),
  ],
  examples: ['reverie export conversations conversations.jsonl --since 30d'],
  run: exportTo,
})

async function exportTo(call: Call<Options>): Promise<void> {
  const { args, options, output, connect } = call
  const [file = '-'] = args
  const client = await connect()
  if (file === '-') {
    const conversations = await writeAll(client, options, async (text) => output.write(text))
    return output.note(toCount(conversations, 'conversation'))
  }
  const conversations = await busyWith(output, 'Exporting', () =>
    writeAtomically(file, (write) => writeAll(client, options, write)),
  )
  output.result(
    { file, conversations },
    () => `${colors.green('✓')} ${toCount(conversations, 'conversation')} written to ${file}`,
  )
}

async function writeAll(
  client: Client,
  options: Options,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const reply = await client.open('GET /api/sources/imports/export/transcripts', {
    query: { harness: options.harness, since: options.since, until: options.until },
  })
  if (!reply.ok) throw await toReverieError(reply)
  let conversations = 0
  for await (const text of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    conversations += text.split('\n').length - 1
    await write(text)
  }
  return conversations
}
