import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

const embeddingProviders = ['static', 'onnx', 'ollama', 'llama-cpp', 'openai', 'none'] as const

/** `embedding` in `agent.yaml`. */
export const embeddingSettings = defineSettings(
  'embedding',
  z
    .object({
      /** `native` is the bundled model. */
      provider: z
        .enum([...embeddingProviders, 'native'])
        .default('static')
        .transform((provider) => (provider === 'native' ? 'static' : provider)),
      /** Name of the model at the provider; for `onnx` its folder. */
      model: z.string().min(1).max(512).optional(),
      /** Vector length; default: read from the model. */
      dimensions: z.int().min(1).max(8192).optional(),
      /** Visible to every caller with `recall`. */
      base_url: z
        .url({ protocol: /^https?$/ })
        .refine(hasNoCredentials, 'must not hold credentials: api_key is sent to the provider')
        .optional(),
      /** A credential reference or name (`kernel/credentials`), or the key itself. */
      api_key: z.string().min(1).optional(),
      /** Text prefix convention; default: derived from the model name. */
      prompt_format: z.enum(['plain', 'nomic', 'e5']).optional(),
      /** Maximum time that a recall waits for the vector of its query. */
      query_timeout_ms: z.int().min(1).max(10_000).default(100),
      /** Maximum time that a save waits for a vector. */
      budget_ms: z.int().min(1).max(10_000).default(250),
      /** Time-out of one provider call. */
      timeout_ms: z.int().min(100).max(600_000).default(30_000),
    })
    .prefault({}),
)
export type EmbeddingsConfig = z.output<typeof embeddingSettings.schema>

/** The background job that embeds memories without a vector. */
export const embeddingTrackerSettings = defineSettings(
  'memory.pipelineV2.embeddingTracker',
  z
    .object({
      pollMs: z.int().min(100).max(3_600_000).default(5000),
      /** Texts in one provider call. */
      batchSize: z.int().min(1).max(256).default(8),
    })
    .prefault({}),
  { restart: ['pollMs'] },
)

function hasNoCredentials(address: string): boolean {
  const { username = '', password = '' } = URL.parse(address) ?? {}
  return username + password === ''
}
