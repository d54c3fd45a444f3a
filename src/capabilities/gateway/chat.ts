import { toErrorBody } from '../../kernel/http/error-shape.ts'
import { type Call, Reply } from '../../kernel/http/route.ts'
import { type Stream, toServerSentEvents } from '../../kernel/http/stream.ts'
import { RouterError } from '../inference/index.ts'
import { toChatRequest } from './chat-request.ts'
import { toChunks } from './chunks.ts'
import { toCompletion } from './completion.ts'
import type { GatewayNeeds } from './needs.ts'
import { unknownModel } from './refusals.ts'
import type { ChatBody } from './schemas.ts'

type ChatCall = Call<unknown, unknown, ChatBody>

export async function handleChat(needs: GatewayNeeds, call: ChatCall) {
  const { body, headers, caller, principal, signal } = call
  const { route, prompt } = toChatRequest({ body, headers, agentId: caller.agentId })
  assertKnown(needs, route)
  const id = `chatcmpl_${needs.host.newId()}`
  const created = Math.floor(needs.host.now().getTime() / 1_000)
  const { subject } = principal
  const request = { requestId: id, subject, surface: 'gateway' as const, route, prompt, signal }
  try {
    if (body.stream) return await streamChat(needs, request, { id, created, body })
    const completion = toCompletion({ id, created }, await needs.inference.execute(request))
    return new Reply(200, completion, { 'x-svc-request-id': id })
  } catch (error) {
    return toFailure(error)
  }
}

async function streamChat(
  { inference }: GatewayNeeds,
  request: Parameters<GatewayNeeds['inference']['openStream']>[0],
  { id, created, body }: { readonly id: string; readonly created: number; readonly body: ChatBody },
): Promise<Stream> {
  const includeUsage = body.stream_options?.include_usage === true
  const chunks = toChunks(await inference.openStream(request), { id, created, includeUsage })
  return toServerSentEvents(chunks, { headers: { 'x-svc-request-id': id } })
}

const listed = 'GET /v1/models lists the names.'

/** A model name of the request body that names no policy and no target is refused. */
function assertKnown(
  { inference }: GatewayNeeds,
  route: ReturnType<typeof toChatRequest>['route'],
) {
  const { explicitPolicy, explicitTargets = [] } = route
  const { enabled, policies, models } = inference.config()
  if (!enabled) return
  if (explicitPolicy !== undefined && !policies.has(explicitPolicy))
    throw unknownModel(`The policy ${explicitPolicy} is unknown. ${listed}`)
  const unknown = explicitTargets.find((ref) => !models.has(ref))
  if (unknown !== undefined) throw unknownModel(`The model ${unknown} is unknown. ${listed}`)
}

/** The router has tried every target, so that a client gains nothing by trying again. */
function toFailure(error: unknown): Reply<never> {
  if (!(error instanceof RouterError)) throw error
  const { code, message, details } = error
  const refusal = { code: code.replaceAll('-', '_'), message, details }
  const body = toErrorBody('openai', { status: 502, refusal })
  return new Reply(502, body as never, { 'x-should-retry': 'false' })
}
