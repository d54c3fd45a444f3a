import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { createExchange, type Exchange } from './exchange.ts'
import type { ModelLibrary } from './library.ts'
import { createStreamMask, maskCredential } from './mask-credential.ts'
import {
  type Target,
  type TargetCall,
  TargetError,
  type TargetNeeds,
  type TargetPart,
  type TargetReply,
} from './target.ts'
import { createPartMapper, toReply } from './to-parts.ts'
import { toCallOptions } from './to-prompt.ts'

interface Session {
  readonly model: LanguageModelV4
  readonly options: LanguageModelV4CallOptions
  readonly exchange: Exchange
  readonly credential: string
}

/** A target over a model library. Each call has its own connection. */
export function createLibraryTarget(needs: TargetNeeds, library: ModelLibrary): Target {
  const open = async (call: TargetCall): Promise<Session> => {
    const { endpoint: baseUrl } = needs.settings
    if (baseUrl === undefined) throw new TypeError('The target has no endpoint.')
    const credential = (await needs.credential()) ?? ''
    const exchange = createExchange({ needs, baseUrl, library, call })
    const model = library.createModel({ baseUrl, credential, fetch: exchange.fetch }, call)
    return { model, options: toCallOptions(call, library), exchange, credential }
  }
  return {
    complete: async (call) => {
      const session = await open(call)
      try {
        const reply = toReply(await session.model.doGenerate(session.options))
        const length = reply.toolCalls.reduce((sum, one) => sum + one.arguments.length, 0)
        assertLength(reply.text.length + length, call)
        return maskReply(reply, session.credential)
      } catch (error) {
        throw maskError(session.exchange.toError(error), session.credential)
      } finally {
        session.exchange.close()
      }
    },
    stream: (call) => streamParts(() => open(call), call),
  }
}

/** A lost connection throws in the middle of the iteration; an `error` part ends it too. */
async function* streamParts(
  open: () => Promise<Session>,
  call: TargetCall,
): AsyncGenerator<TargetPart> {
  const session = await open()
  const { exchange, credential } = session
  const toParts = createPartMapper()
  const mask = createStreamMask(credential)
  let length = 0
  let isFinished = false
  try {
    const { stream } = await session.model.doStream(session.options)
    for await (const part of stream) {
      for (const converted of toParts(part)) {
        length += lengthOf(converted)
        assertLength(length, call)
        isFinished = converted.type === 'finish'
        yield* maskPart(converted, mask)
      }
    }
    if (!isFinished) throw new TargetError('The reply ended early.', { kind: 'invalid_reply' })
  } catch (error) {
    throw maskError(exchange.toError(error), credential)
  } finally {
    exchange.close()
  }
}

function assertLength(length: number, { limits }: TargetCall): void {
  if (length <= limits.maxTextChars) return
  const message = `The reply is longer than ${limits.maxTextChars} characters.`
  throw new TargetError(message, { kind: 'invalid_reply' })
}

function lengthOf(part: TargetPart): number {
  if (part.type === 'finish') return 0
  return part.type === 'tool-call-delta' ? part.argumentsDelta.length : part.text.length
}

function maskReply(reply: TargetReply, credential: string): TargetReply {
  return {
    ...reply,
    text: maskCredential(reply.text, credential),
    toolCalls: reply.toolCalls.map((call) => ({
      ...call,
      arguments: maskCredential(call.arguments, credential),
    })),
  }
}

/** Tool calls follow the text, so that the delayed end of the text is sent before them. */
function* maskPart(
  part: TargetPart,
  mask: ReturnType<typeof createStreamMask>,
): Generator<TargetPart> {
  if (part.type === 'text-delta') {
    const text = mask.push(part.text)
    if (text) yield { type: 'text-delta', text }
    return
  }
  const rest = part.type === 'reasoning-delta' ? '' : mask.flush()
  if (rest) yield { type: 'text-delta', text: rest }
  yield part
}

function maskError(error: TargetError, credential: string): TargetError {
  const { message, kind, status, retryAfterMs, providerMessage, explanation } = error
  return new TargetError(message, {
    kind,
    status,
    retryAfterMs,
    explanation,
    providerMessage: providerMessage && maskCredential(providerMessage, credential),
  })
}
