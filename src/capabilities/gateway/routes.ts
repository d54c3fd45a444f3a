import { notFound, type Refusal } from '../../kernel/errors/refusal.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { handleChat } from './chat.ts'
import { handleEmbeddings } from './embeddings.ts'
import { listModels, readModel } from './models.ts'
import type { GatewayNeeds } from './needs.ts'
import * as wire from './schemas.ts'

/** Images are sent along with the messages. */
const chatBodyLimit = 8_388_608
const embeddingsBodyLimit = 524_288

export function gatewayRoutes(needs: GatewayNeeds): readonly Route[] {
  return [
    route({
      name: 'gateway.models',
      method: 'GET',
      path: '/v1/models',
      permission: 'gateway',
      errorShape: 'openai',
      summary: 'List the model names that chat completions accept.',
      reply: wire.modelsReply,
      handle: async () => ({ object: 'list' as const, data: listModels(needs) }),
    }),
    route({
      name: 'gateway.model',
      method: 'GET',
      path: '/v1/models/*id',
      permission: 'gateway',
      errorShape: 'openai',
      summary: 'Read one model name.',
      params: wire.byModel,
      reply: wire.modelReply,
      handle: async ({ params }) => readModel(needs, params.id),
    }),
    route({
      name: 'gateway.chat',
      method: 'POST',
      path: '/v1/chat/completions',
      permission: 'gateway',
      errorShape: 'openai',
      limit: 'inferenceGateway',
      bodyLimit: chatBodyLimit,
      summary: 'Complete a chat in the format of OpenAI, as one reply or as a stream.',
      body: wire.chatBody,
      reply: wire.chatReply,
      otherReplies: { 502: wire.upstreamError },
      handle: (call) => handleChat(needs, call),
    }),
    route({
      name: 'gateway.embeddings',
      method: 'POST',
      path: '/v1/embeddings',
      permission: 'gateway',
      errorShape: 'openai',
      limit: 'inferenceGateway',
      bodyLimit: embeddingsBodyLimit,
      summary: 'Embed up to 256 texts with the active embedding model.',
      body: wire.embeddingsBody,
      reply: wire.embeddingsReply,
      handle: ({ body, signal }) => handleEmbeddings(needs, body, signal),
    }),
    route({
      name: 'gateway.responses',
      method: 'POST',
      path: '/v1/responses',
      permission: 'gateway',
      errorShape: 'openai',
      summary: 'Refuse the protocol of responses, which keeps state and is not supported.',
      handle: () => Promise.reject(noResponses()),
    }),
  ]
}

function noResponses(): Refusal {
  const message = 'This protocol is not supported. Use POST /v1/chat/completions.'
  return notFound(message)
}
