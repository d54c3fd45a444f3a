import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'

const embeddingProviders = ['static', 'onnx', 'ollama', 'llama-cpp', 'openai', 'none'] as const

/** `embedding` of `agent.yaml`; the names are the file's. */
export const embeddingSettings = defineSettings(
  'embedding',
  z
    .object({
      /** `native` is the model that comes with the package. */
      provider: z
        .enum([...embeddingProviders, 'native'])
        .default('static')
        .transform((provider) => (provider === 'native' ? 'static' : provider)),
      /** The name that the provider knows it by; for `onnx` the folder it is in. */
      model: z.string().min(1).max(512).optional(),
      /** How many numbers a vector has; asked of the model unless given. */
      dimensions: z.int().min(1).max(8192).optional(),
      /** Everybody who may recall is shown it. */
      base_url: z
        .url({ protocol: /^https?$/ })
        .refine(hasNoCredentials, 'must not hold credentials: api_key is sent to the provider')
        .optional(),
      /** `$env:NAME`, `$secret:NAME`, or the key itself. */
      api_key: z.string().min(1).optional(),
      /** What goes before a text; guessed from the model's name unless given. */
      prompt_format: z.enum(['plain', 'nomic', 'e5']).optional(),
      /** Remembering and recalling wait so long for a vector. */
      budget_ms: z.int().min(1).max(10_000).default(250),
      /** One call to the provider, in the background too. */
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
      /** Texts that go to a provider at once. */
      batchSize: z.int().min(1).max(256).default(8),
    })
    .prefault({}),
  { restart: ['pollMs'] },
)

function hasNoCredentials(address: string): boolean {
  const { username = '', password = '' } = URL.parse(address) ?? {}
  return username + password === ''
}
