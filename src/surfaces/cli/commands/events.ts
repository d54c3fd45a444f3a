import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { type Call, command, option } from '../command.ts'
import { followEvents } from '../follow-events.ts'
import { nameMissing, resolveId } from '../ids.ts'
import { renderMessage } from '../message-operations.ts'
import { colors, toLine } from '../output.ts'
import { type Row, toRows } from '../render.ts'

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

export const followTask = command({
  usage: 'task follow <id>',
  summary: 'Follow the runs of a task and their output until Ctrl-C',
  examples: ['reverie task follow 0195f3a0', 'reverie task follow 0195f3a0 --json'],
  run: async (call) => {
    const client = await call.connect()
    const route = 'GET /api/tasks'
    const subject = { noun: 'task', list: 'reverie task list' }
    const [text = ''] = call.args
    const id = await resolveId(client, text, { route, subject })
    const following = followEvents(
      call,
      'GET /api/tasks/:id/stream',
      { path: { id } },
      renderTaskEvent,
    )
    return nameMissing(text, following, subject)
  },
})

interface MessageOptions {
  readonly session?: string
  readonly project?: string
}

export const followMessages = command<MessageOptions>({
  usage: 'message follow',
  summary: 'Follow the messages of the agent and the sessions of others until Ctrl-C',
  options: [
    option('--session <key>', 'also messages for this session of the agent'),
    option('--project <path>', 'only sessions of this project'),
  ],
  examples: ['reverie message follow --agent ada', 'reverie message follow --json'],
  run: (call: Call<MessageOptions>) => {
    const { project, session: sessionKey } = call.options
    const input = { query: { project, session_key: sessionKey } }
    return followEvents(call, 'GET /api/cross-agent/stream', input, renderMessageEvent)
  },
})

function renderTaskEvent({ type, chunk, runId, status, error, exitCode, timestamp }: Row): string {
  const at = colors.dim(String(timestamp ?? '').slice(11, 19))
  if (type === 'run-output') return neutralize(String(chunk)).trimEnd()
  if (type === 'run-started') return `${at} run ${toLine(String(runId))} started`
  if (type === 'gap') return `${at} earlier events were dropped`
  if (type !== 'run-completed') return ''
  const result = error ?? (typeof exitCode === 'number' ? `exit code ${exitCode}` : '')
  return `${at} run ${toLine(String(runId))} ${status} ${toLine(String(result), 200)}`.trimEnd()
}

function renderMessageEvent({ type, message, messages, presence, action }: Row): string {
  if (type === 'message') return renderMessage(Object(message))
  if (type === 'gap') return 'Earlier messages were dropped. List them with: reverie message inbox'
  if (type === 'presence')
    return `${action === 'remove' ? '-' : '+'} ${renderPresence(Object(presence))}`
  if (type !== 'snapshot') return ''
  const sessions = toRows(presence).map((row) => `+ ${renderPresence(row)}`)
  return [...sessions, ...toRows(messages).map(renderMessage)].join('\n')
}

function renderPresence({ agentId, harness, project }: Row): string {
  const place = project ? ` in ${toLine(String(project), 120)}` : ''
  return `${toLine(String(agentId), 64)} (${toLine(String(harness), 64)})${place}`
}

function renderEvent({ type, timestamp, agentId, ...fields }: Row): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const line = [agentId, ...details].filter((part) => part !== undefined).join(' ')
  const at = colors.dim(String(timestamp ?? '').slice(11, 19))
  return `${at} ${String(type).padEnd(20)} ${toLine(neutralize(line), 300)}`
}
