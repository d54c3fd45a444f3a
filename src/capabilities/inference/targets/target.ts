import type { Host } from '../../../kernel/host/host.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { ChildLedger } from '../../../kernel/process/child-ledger.ts'

/** One way to a model: a provider, a local server or a program. */
export interface Target {
  /** Throws a `TargetError`. */
  complete(call: TargetCall): Promise<TargetReply>
  /** Absent for a target that cannot stream. The iteration throws a `TargetError`. */
  stream?(call: TargetCall): AsyncIterable<TargetPart>
}

export interface TargetNeeds {
  readonly settings: TargetSettings
  /** Called for each call, so that a new value takes effect. Undefined without a credential. */
  readonly credential: () => Promise<string | undefined>
  readonly outbound: Pick<Outbound, 'open'>
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  /** All variables of the daemon, to find programs and to build the environment of a child. */
  readonly variables: Readonly<Record<string, string>>
  /** Names of variables that commands receive in addition: `process.pass`. */
  readonly pass: readonly string[]
  readonly daemonUrl: string
}

export type CreateTarget = (needs: TargetNeeds) => Promise<Target>

export const executors = [
  'openai-compatible',
  'openai',
  'openrouter',
  'anthropic',
  'google',
  'ollama',
  'llama-cpp',
  'command',
  'claude-code',
  'codex',
  'opencode',
] as const
export type Executor = (typeof executors)[number]

interface TargetSettings {
  /** The name of the target, part of its ref. */
  readonly id: string
  readonly executor: Executor
  /**
   * The base address without a trailing `/`, with the default of the executor. Absent for programs.
   * Its origin is trusted if it is a loopback address.
   */
  readonly endpoint?: string | undefined
  /** Present for the executor `command`. */
  readonly command?: CommandSettings | undefined
}

export interface CommandSettings {
  readonly bin: string
  readonly args: readonly string[]
  readonly cwd?: string | undefined
  readonly env: Readonly<Record<string, string>>
}

export interface TargetCall {
  /** The name of the model at the provider. */
  readonly model: string
  /** Tokens; sent to a local server that needs it. */
  readonly contextWindow?: number | undefined
  readonly agentId: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[] | undefined
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly tool: string } | undefined
  readonly parallelToolCalls?: boolean | undefined
  readonly responseFormat?: ResponseFormat | undefined
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly seed?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly reasoningEffort?: string | undefined
  /** The deadline of the whole call, and its cancellation. */
  readonly signal: AbortSignal
  /** The target enforces them. */
  readonly limits: TargetLimits
}

export interface TargetLimits {
  /** Maximum time until the first byte of the reply. Not for programs. */
  readonly firstByteMs: number
  /** Maximum silence within the reply. Not for programs. */
  readonly idleMs: number
  /** Maximum size of the decoded reply. */
  readonly maxReplyBytes: number
  /** Maximum length of the text. A longer one is an `invalid_reply`. */
  readonly maxTextChars: number
}

export type ModelMessage =
  | { readonly role: 'system' | 'user' | 'assistant' | 'tool'; readonly content: string }
  | {
      readonly role: 'system' | 'user' | 'assistant' | 'tool'
      readonly content: readonly MessagePart[]
    }

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64; `mediaType` such as `image/png`. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | ToolCallPart
  | {
      readonly type: 'tool-result'
      readonly toolCallId: string
      readonly toolName: string
      readonly result: string
    }

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  /** JSON text. */
  readonly arguments: string
}

export interface ModelTool {
  readonly name: string
  readonly description?: string | undefined
  /** A JSON Schema. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly strict?: boolean | undefined
}

interface ResponseFormat {
  readonly type: 'json'
  readonly name?: string | undefined
  readonly schema?: Readonly<Record<string, unknown>> | undefined
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

export interface TargetReply {
  readonly text: string
  readonly toolCalls: readonly ToolCallPart[]
  readonly finishReason: FinishReason
  readonly usage: Usage
  /** Features that the provider lacks, as short sentences. */
  readonly warnings?: readonly string[]
}

export type TargetPart =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The first part of a call has its id and its name; the arguments follow in pieces. */
  | {
      readonly type: 'tool-call-delta'
      readonly index: number
      readonly toolCallId?: string
      readonly toolName?: string
      readonly argumentsDelta: string
    }
  /** The last part. */
  | { readonly type: 'finish'; readonly finishReason: FinishReason; readonly usage: Usage }

/** A figure that the provider does not report is null. */
export interface Usage {
  /** Excludes tokens that were read from or written to a cache. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cacheReadTokens: number | null
  readonly cacheCreationTokens: number | null
  /** USD. */
  readonly totalCost: number | null
  readonly totalDurationMs: number | null
}

export const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheCreationTokens: null,
  totalCost: null,
  totalDurationMs: null,
}

export type TargetErrorKind =
  | 'http'
  | 'timeout'
  | 'network'
  | 'invalid_reply'
  | 'aborted'
  | 'runtime_unavailable'

interface TargetErrorShape {
  readonly kind: TargetErrorKind
  /** The status of the provider. */
  readonly status?: number | undefined
  /** From its header `retry-after`. */
  readonly retryAfterMs?: number | undefined
  /** The provider's own message, at most 200 characters. The caller redacts it. */
  readonly providerMessage?: string | undefined
  /** What happened and what to change, in words of this service: replaces the sentence of the kind. */
  readonly explanation?: string | undefined
}

/** The failure of one call. Contains neither the request nor the reply nor a credential. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly kind: TargetErrorKind
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly providerMessage: string | undefined
  readonly explanation: string | undefined

  constructor(message: string, shape: TargetErrorShape) {
    super(message)
    this.kind = shape.kind
    this.status = shape.status
    this.retryAfterMs = shape.retryAfterMs
    this.providerMessage = shape.providerMessage
    this.explanation = shape.explanation
  }
}
