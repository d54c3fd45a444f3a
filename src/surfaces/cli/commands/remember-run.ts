import { text as readText } from 'node:stream/consumers'
import type { Remembered, RememberRequest } from '../../../client/wire.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMemory, resolveId } from '../memory-id.ts'
import { type Output, toLine } from '../output.ts'

export interface Description {
  readonly tags?: string
  readonly importance?: number
  readonly type?: string
  readonly pin?: boolean
}

export interface RememberOptions extends Description {
  readonly project?: string
  readonly who?: string
  readonly supersedes?: string
}

export interface ReplaceOptions extends Description {
  readonly reason?: string
}

export async function remember({
  args,
  options,
  output,
  connect,
}: Call<RememberOptions>): Promise<void> {
  const content = await readContent(args[0])
  const { tags, importance, type, pin: pinned, project, who } = options
  const client = await connect()
  const supersedes = options.supersedes && (await resolveId(client, options.supersedes))
  const body = { content, tags, importance, type, pinned, project, who, supersedes }
  showSaved(output, await client.memory.remember(body))
}

/** The new memory takes over what the options leave out, and the place of the old one. */
export async function replace(call: Call<ReplaceOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [id = '', text] = args
  const content = await readContent(text)
  const client = await connect()
  const target = await nameMemory(id, client.memory.read(await resolveId(client, id)))
  const { importance, type, project, who, scope, visibility } = target
  const body: RememberRequest = {
    ...{ content, project, who, scope, visibility },
    importance: options.importance ?? importance,
    type: options.type ?? type,
    tags: options.tags ?? target.tags ?? undefined,
    pinned: options.pin ?? target.pinned === 1,
    reason: options.reason,
    supersedes: target.id,
  }
  showSaved(output, await client.memory.remember(body))
}

async function readContent(text = ''): Promise<string> {
  const content = text === '-' ? await readText(process.stdin) : text
  if (content.trim() !== '') return content
  throw new CliError('usage', 'empty', 'the text is empty', 'Pass a text, or pipe one in.')
}

function showSaved(output: Output, saved: Remembered): void {
  const { id, content, deduped, superseded, redactions = 0 } = saved
  output.result(saved, () => {
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
