import { text as readText } from 'node:stream/consumers'
import type { Remembered } from '../../../client/wire.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { resolveId } from '../ids.ts'
import { colors, type Output, toLine } from '../output.ts'
import { importance, pin, tags, type } from './memory-options.ts'

export interface Description {
  readonly tags?: string
  readonly importance?: number
  readonly type?: string
  readonly pin?: boolean
}

interface RememberOptions extends Description {
  readonly project?: string
  readonly who?: string
  readonly critical?: boolean
  readonly supersedes?: string
}

export const remember = command<RememberOptions>({
  usage: 'remember <text>',
  aliases: ['add', 'save', 'store'],
  summary: 'Store a memory; - reads stdin',
  options: [
    tags,
    option('--project <name>', 'project of the memory'),
    importance,
    type,
    pin,
    option('--critical', 'pin the memory, with importance 1'),
    option('--who <name>', 'author of the memory'),
    option('--supersedes <id>', 'the memory to supersede'),
  ],
  examples: [
    'reverie remember "We deploy on Fridays"',
    'reverie remember --tags db,ops --pin "The ledger is append-only"',
    'git log -1 --format=%B | reverie remember -',
  ],
  run: save,
})

async function save({ args, options, output, connect }: Call<RememberOptions>): Promise<void> {
  const content = await readContent(args[0])
  const { tags, type, project, who, critical } = options
  const importance = options.importance ?? (critical ? 1 : undefined)
  const pinned = options.pin ?? critical
  const client = await connect()
  const supersedes = options.supersedes && (await resolveId(client, options.supersedes))
  const body = { content, tags, importance, type, pinned, project, who, supersedes }
  showSaved(output, await client.call('POST /api/memory/remember', { body }))
}

export async function readContent(text = ''): Promise<string> {
  const content = text === '-' ? await readText(process.stdin) : text
  if (content.trim() !== '') return content
  throw new CliError('usage', 'empty', 'the text is empty', 'Pass a text, or pipe one in.')
}

export function showSaved(output: Output, savedMemory: Remembered): void {
  const { id, content, deduped, superseded, redactions = 0 } = savedMemory
  output.result(savedMemory, () => {
    const title = deduped ? 'Already stored' : 'Remembered'
    return [
      `${colors.green('✓')} ${title}: ${toLine(content)}`,
      `  ${colors.dim(id)}`,
      ...(superseded ? [`  It supersedes ${superseded.id}.`] : []),
      ...(redactions > 0 ? [`  ${colors.yellow('!')} ${explainRedactions(redactions)}`] : []),
    ].join('\n')
  })
}

function explainRedactions(count: number): string {
  const parts =
    count === 1 ? '1 credential or private part was' : `${count} credentials or private parts were`
  return `${parts} removed from the text.`
}
