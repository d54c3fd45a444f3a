import { noUsage, type Usage } from './target.ts'

/** An agent CLI that answers one prompt from its standard input, without tools. */
export interface AgentCli {
  readonly program: string
  /** Without a model the program uses its own default. */
  args(model: string | undefined): readonly string[]
  /** Variables in addition to the environment of a harness. */
  readonly env?: Readonly<Record<string, string>>
  /** Throws if the output contains no reply. */
  read(output: string): ProgramReply
}

export interface ProgramReply {
  readonly text: string
  readonly usage: Usage
  /** The program's own words, if it failed. */
  readonly error?: string | undefined
}

type Json = Readonly<Record<string, unknown>>

/** Of an agent that may use no tool. */
const openCodeConfig = {
  agent: {
    reverie: {
      mode: 'primary',
      prompt: 'Answer the last message.',
      permission: { '*': 'deny' },
      tools: { '*': false },
    },
  },
}

/** Remove the tools of Codex. Only `request_user_input` stays, which no user answers. */
const codexSettings = [
  'web_search="disabled"',
  'mcp_servers={}',
  ...['shell_tool', 'view_image', 'multi_agent', 'goals', 'apps', 'plugins'].map(
    (feature) => `features.${feature}=false`,
  ),
]

export const agentClis: Readonly<Record<'claude-code' | 'codex' | 'opencode', AgentCli>> = {
  'claude-code': {
    program: 'claude',
    // `--tools ""` removes the built-in tools, `--strict-mcp-config` those of MCP servers.
    args: (model) => [
      '--print',
      '--output-format',
      'json',
      '--tools',
      '',
      '--strict-mcp-config',
      '--no-session-persistence',
      ...option('--model', model),
    ],
    read: readClaude,
  },
  codex: {
    program: 'codex',
    args: (model) => [
      'exec',
      '--json',
      '--ephemeral',
      '--skip-git-repo-check',
      '--sandbox',
      'read-only',
      ...codexSettings.flatMap((setting) => ['-c', setting]),
      ...option('--model', model),
      '-',
    ],
    read: readCodex,
  },
  opencode: {
    program: 'opencode',
    args: (model) => ['run', '--format', 'json', '--agent', 'reverie', ...option('--model', model)],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeConfig) },
    read: readOpenCode,
  },
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value]
}

/** One object: `{is_error, result, usage, total_cost_usd, duration_ms}`. */
function readClaude(output: string): ProgramReply {
  const reply = toObject(JSON.parse(output))
  const usage = toObject(reply['usage'])
  const text = reply['result']
  if (reply['is_error'] === true) return { text: '', usage: noUsage, error: toText(text) }
  if (typeof text !== 'string') throw new TypeError('no result')
  return {
    text,
    usage: {
      inputTokens: toNumber(usage['input_tokens']),
      outputTokens: toNumber(usage['output_tokens']),
      cacheReadTokens: toNumber(usage['cache_read_input_tokens']),
      cacheCreationTokens: toNumber(usage['cache_creation_input_tokens']),
      totalCost: toNumber(reply['total_cost_usd']),
      totalDurationMs: toNumber(reply['duration_ms']),
    },
  }
}

/** One event a line; the last `agent_message` is the answer. */
function readCodex(output: string): ProgramReply {
  const events = readLines(output)
  const failure = events.find(({ type }) => type === 'turn.failed')
  if (failure)
    return { text: '', usage: noUsage, error: toText(toObject(failure['error'])['message']) }
  const messages = events
    .filter(({ type }) => type === 'item.completed')
    .map(({ item }) => toObject(item))
    .filter(({ type }) => type === 'agent_message')
  const end = events.findLast(({ type }) => type === 'turn.completed')
  const text = messages.at(-1)?.['text']
  if (typeof text !== 'string') throw new TypeError('no message')
  const usage = toObject(end?.['usage'])
  const cached = toNumber(usage['cached_input_tokens'])
  const input = toNumber(usage['input_tokens'])
  return {
    text,
    usage: {
      ...noUsage,
      // The figure of the program includes cached tokens.
      inputTokens: input === null ? null : input - (cached ?? 0),
      outputTokens: toNumber(usage['output_tokens']),
      cacheReadTokens: cached,
    },
  }
}

/** One event a line: `text` parts, and the tokens of each step. */
function readOpenCode(output: string): ProgramReply {
  const events = readLines(output)
  const parts = (type: string) =>
    events.filter((event) => event['type'] === type).map(({ part }) => toObject(part))
  const failure = events.find(({ type }) => type === 'error')
  if (failure) return { text: '', usage: noUsage, error: openCodeError(failure) }
  const texts = parts('text').map((part) => toText(part['text']) ?? '')
  if (texts.length === 0) throw new TypeError('no text')
  const steps = parts('step_finish')
  const tokens = steps.map((part) => toObject(part['tokens']))
  const caches = tokens.map(({ cache }) => toObject(cache))
  return {
    text: texts.join(''),
    usage: {
      ...noUsage,
      inputTokens: sum(tokens.map(({ input }) => input)),
      outputTokens: sum(tokens.flatMap(({ output: answer, reasoning = 0 }) => [answer, reasoning])),
      cacheReadTokens: sum(caches.map(({ read }) => read)),
      cacheCreationTokens: sum(caches.map(({ write }) => write)),
      totalCost: sum(steps.map(({ cost }) => cost)),
    },
  }
}

function openCodeError(event: Json): string | undefined {
  const error = toObject(event['error'])
  return toText(toObject(error['data'])['message']) ?? toText(error['name'])
}

function readLines(output: string): readonly Json[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => toObject(JSON.parse(line)))
}

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** Null if any figure is absent. */
function sum(values: readonly unknown[]): number | null {
  const numbers = values.map(toNumber)
  return numbers.reduce<number | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    numbers.length > 0 ? 0 : null,
  )
}
