import { text as readText } from 'node:stream/consumers'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { withInterrupt } from '../interrupt.ts'
import { colors, type Output, toLine } from '../output.ts'
import { closedEarly, openEvents, type ServerEvent } from '../read-events.ts'

interface StreamOptions {
  readonly operation?: string
  readonly task?: string
  readonly privacy?: string
  readonly policy?: string
  readonly target?: readonly string[]
  readonly maxTokens?: number
  readonly timeoutMs?: number
}

export const streamPrompt = command<StreamOptions>({
  usage: 'inference stream <prompt>',
  summary: 'Send a prompt to a model and print its reply as it arrives; Ctrl-C cancels',
  options: [
    option('--operation <kind>', 'kind of work, such as memory_extraction'),
    option('--task <class>', 'task class'),
    option('--privacy <tier>', 'remote_ok, restricted_remote or local_only'),
    option('--policy <id>', 'id of a policy'),
    option('--target <ref>', 'a target ref such as home/small; repeatable', { type: 'list' }),
    option('--max-tokens <n>', 'maximum tokens of the reply', { type: 'count' }),
    option('--timeout-ms <n>', 'timeout in milliseconds', { type: 'count' }),
  ],
  examples: [
    'reverie inference stream "Tell a short story about tea"',
    'git diff | reverie inference stream - --target home/small',
  ],
  run: stream,
})

async function stream(call: Call<StreamOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [prompt = ''] = args
  const { task: taskClass, target: explicitTargets, ...fields } = options
  const body = {
    operation: fields.operation,
    taskClass,
    privacy: fields.privacy,
    policy: fields.policy,
    explicitTargets,
    maxTokens: fields.maxTokens,
    timeoutMs: fields.timeoutMs,
    prompt: prompt === '-' ? await readText(process.stdin) : prompt,
  }
  const client = await connect()
  await withInterrupt(async (signal) => {
    const input = { body, signal }
    const { headers, events } = await openEvents(client, 'POST /api/inference/stream', input)
    const requestId = toLine(headers.get('x-svc-request-id') ?? '')
    output.note(colors.dim(`Cancel it with Ctrl-C or: reverie inference cancel ${requestId}`))
    if (!(await printReply(output, events))) throw closedEarly(client)
  })
}

/** Returns false if the stream ends without its last event. */
async function printReply(output: Output, events: AsyncIterable<ServerEvent>): Promise<boolean> {
  const printer = createPrinter(output)
  for await (const { event, data } of events) {
    if (event === 'keepalive') continue
    if (output.json) await output.write(`${JSON.stringify({ event, ...data })}\n`)
    else if (event === 'delta') await printer.print(String(data['text']))
    const end = ends[event]
    if (end === undefined) continue
    await printer.end()
    const [code, message] = end
    if (code === undefined) return true
    throw new CliError('fault', code, String(data['error'] ?? message))
  }
  await printer.end()
  return false
}

/** The last events, each with the code and the message of its error. */
const ends: Readonly<Record<string, readonly [code?: string, message?: string]>> = {
  done: [],
  error: ['inference_failed', 'the reply is incomplete'],
  cancelled: ['cancelled', 'the request was cancelled'],
}

/** The end of a text that may continue in the next part: a mark, or half of a character. */
const unfinished = /(?:[<\uFF1C\uFE64[][^>\]]{0,64}|[\r\uD800-\uDBFF])$/

/** Neutralizes parts of a text as if they were one. */
function createPrinter(output: Output) {
  let pending = ''
  let last = '\n'
  const write = async (text: string) => {
    if (text === '') return
    last = text
    await output.write(neutralize(text))
  }
  return {
    print: async (part: string) => {
      const text = pending + part
      const at = text.search(unfinished)
      pending = at < 0 ? '' : text.slice(at)
      await write(at < 0 ? text : text.slice(0, at))
    },
    end: async () => {
      await write(pending)
      pending = ''
      if (!last.endsWith('\n')) await write('\n')
    },
  }
}
