import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { type Call, command, option } from '../command.ts'
import { followEvents } from '../follow-events.ts'
import { colors, toLine } from '../output.ts'
import type { Row } from '../render.ts'

interface EventsOptions {
  readonly types?: readonly string[]
}

export const events = command<EventsOptions>({
  usage: 'events',
  summary: 'Follow the events of the daemon until Ctrl-C',
  options: [
    option('--types <type>', 'only these, such as memory.* or session.started; repeatable', {
      type: 'list',
    }),
  ],
  examples: ['reverie events --types memory.*', 'reverie events --json'],
  run: (call: Call<EventsOptions>) => {
    const types = call.options.types?.join(',')
    return followEvents(call, 'GET /api/events', { query: { types } }, renderEvent)
  },
})

function renderEvent({ type, timestamp, agentId, ...fields }: Row): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const line = [agentId, ...details].filter((part) => part !== undefined).join(' ')
  const at = colors.dim(String(timestamp ?? '').slice(11, 19))
  return `${at} ${String(type).padEnd(20)} ${toLine(neutralize(line), 300)}`
}
