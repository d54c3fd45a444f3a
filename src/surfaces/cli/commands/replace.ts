import { type Call, command, option } from '../command.ts'
import { nameMissing, resolveId } from '../ids.ts'
import { importance, pin, tags, type } from './memory-options.ts'
import { type Description, readContent, showSaved } from './remember.ts'

interface ReplaceOptions extends Description {
  readonly reason?: string
}

export const replace = command<ReplaceOptions>({
  usage: 'replace <id> <text>',
  aliases: ['supersede', 'rewrite'],
  summary: 'Supersede a memory with a new text; - reads stdin',
  options: [tags, importance, type, pin, option('--reason <text>', 'reason for the history')],
  examples: [
    'reverie replace 0195f3a0 "We deploy on Mondays"',
    'reverie replace 0195f3a0 "We deploy daily" --tags ops --reason "decided in May"',
  ],
  run: supersede,
})

/** The new memory inherits what the options leave out. */
async function supersede(call: Call<ReplaceOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [id = '', text] = args
  const content = await readContent(text)
  const client = await connect()
  const target = await nameMissing(
    id,
    client.call('GET /api/memory/:id', { path: { id: await resolveId(client, id) } }),
  )
  const { importance, type, project, who, scope, visibility } = target
  const body = {
    content,
    project,
    who,
    scope,
    visibility,
    importance: options.importance ?? importance,
    type: options.type ?? type,
    tags: options.tags ?? target.tags ?? undefined,
    pinned: options.pin ?? target.pinned === 1,
    reason: options.reason,
    supersedes: target.id,
  }
  showSaved(output, await client.call('POST /api/memory/remember', { body }))
}
