import { Refusal } from '../../kernel/errors/refusal.ts'
import type { GatewayNeeds } from './needs.ts'
import { invalidField, unknownModel, unsupported } from './refusals.ts'
import type { EmbeddingsBody } from './schemas.ts'

const maxTexts = 256
const maxChars = 200_000
/** Also a model name of the gateway. */
const embeddingModel = 'svc:embedding'

export async function handleEmbeddings(
  { embeddings }: Pick<GatewayNeeds, 'embeddings'>,
  body: EmbeddingsBody,
  signal: AbortSignal,
) {
  const texts = toTexts(body.input)
  const result = await embeddings.embedTexts(texts, signal)
  if (!result) throw unavailable()
  const { model, vectors } = result
  const { dimensions, encoding_format: format } = body
  if (![embeddingModel, model, ''].includes(body.model?.trim() ?? ''))
    throw unknownModel(`Use "${embeddingModel}" as the model.`)
  if (dimensions !== undefined && dimensions !== vectors[0]?.length)
    throw unsupported('dimensions', 'The number of dimensions is that of the model.')
  const tokens = Math.ceil(texts.join('').length / 4)
  return {
    object: 'list' as const,
    model,
    data: vectors.map((vector, index) => ({
      object: 'embedding' as const,
      index,
      embedding: format === 'base64' ? toBase64(vector) : [...vector],
    })),
    // An estimate: models do not report it.
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function toTexts(input: unknown): readonly string[] {
  const texts = Array.isArray(input) ? input : [input]
  if (!texts.every((text): text is string => typeof text === 'string' && text.trim() !== ''))
    throw invalidField('input', 'The input is a text or a list of texts that are not blank.')
  if (texts.length === 0 || texts.length > maxTexts)
    throw invalidField('input', `The input has 1 to ${maxTexts} texts.`)
  if (texts.reduce((sum, text) => sum + text.length, 0) > maxChars)
    throw new Refusal('too_large', 'prompt_too_large', `The texts exceed ${maxChars} characters.`)
  return texts
}

function toBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

function unavailable(): Refusal {
  const message = 'No embedding model is available at the moment.'
  return new Refusal('unavailable', 'embeddings_unavailable', message)
}
