import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** Written by an installation; a user may write one to correct what the files of a model say. */
export const manifestName = 'reverie-model.json'

const modelFile = z.object({
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
type ModelFile = z.output<typeof modelFile>

const maxTokensLimit = 8192
const defaultMaxTokens = 512

export const manifestSchema = z.object({
  pooling: z.enum(['mean', 'cls', 'last']).optional(),
  /** Longer texts are cut. */
  maxTokens: z.int().min(8).max(maxTokensLimit).optional(),
  queryPrefix: z.string().max(500).optional(),
  documentPrefix: z.string().max(500).optional(),
  dimensions: z.int().min(1).max(8192).optional(),
  /** Checked at each load. */
  files: z.record(z.string().regex(/^\w[\w.-]*(\/\w[\w.-]*)?$/), modelFile).optional(),
})

export interface ModelSettings {
  readonly pooling: 'mean' | 'cls' | 'last'
  readonly maxTokens: number
  /** Absent: the name of the model decides. */
  readonly prefixes?: { readonly query: string; readonly document: string } | undefined
  readonly dimensions?: number | undefined
  readonly files: Readonly<Record<string, ModelFile>>
}

const text = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const tokens = z.int().min(8).max(maxTokensLimit).optional().catch(undefined)

/** The files that models of the usual libraries bring along; each is optional. */
const configFiles = {
  'config.json': z.object({
    hidden_size: z.int().optional().catch(undefined),
    max_position_embeddings: tokens,
  }),
  'sentence_bert_config.json': z.object({ max_seq_length: tokens }),
  'tokenizer_config.json': z.object({ model_max_length: tokens }),
  '1_Pooling/config.json': z.object({ pooling_mode_cls_token: flag, pooling_mode_lasttoken: flag }),
  'config_sentence_transformers.json': z.object({
    prompts: z.object({ query: text, document: text, passage: text }).optional().catch(undefined),
  }),
} as const

/** Merges the manifest with the model's own configuration. The manifest wins. */
export async function readModelSettings(folder: string): Promise<ModelSettings> {
  const read = <Schema extends z.ZodType>(name: string, schema: Schema) =>
    readJson(join(folder, name), schema)
  const [manifest, config, sentence, tokenizer, pooling, sentenceTransformers] = await Promise.all([
    read(manifestName, manifestSchema),
    read('config.json', configFiles['config.json']),
    read('sentence_bert_config.json', configFiles['sentence_bert_config.json']),
    read('tokenizer_config.json', configFiles['tokenizer_config.json']),
    read('1_Pooling/config.json', configFiles['1_Pooling/config.json']),
    read('config_sentence_transformers.json', configFiles['config_sentence_transformers.json']),
  ])
  const prompts = sentenceTransformers?.prompts
  const query = manifest?.queryPrefix ?? prompts?.query
  const document = manifest?.documentPrefix ?? prompts?.document ?? prompts?.passage
  const limits = [
    sentence?.max_seq_length ?? tokenizer?.model_max_length,
    config?.max_position_embeddings,
  ]
  return {
    pooling: manifest?.pooling ?? toPooling(pooling),
    maxTokens: manifest?.maxTokens ?? minOf(limits),
    prefixes:
      query === undefined && document === undefined
        ? undefined
        : { query: query ?? '', document: document ?? '' },
    dimensions: manifest?.dimensions,
    files: manifest?.files ?? {},
  }
}

/** @throws {Error} if a file differs from what the manifest records */
export async function assertFilesUnchanged(
  folder: string,
  { files }: ModelSettings,
): Promise<void> {
  for (const [name, { sha256 }] of Object.entries(files)) {
    if ((await hashFile(join(folder, name))) === sha256) continue
    throw new Error(
      `the file ${name} of the model has changed since it was installed. Install the model again`,
    )
  }
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function toPooling(config: z.output<(typeof configFiles)['1_Pooling/config.json']> | undefined) {
  if (config?.pooling_mode_cls_token) return 'cls'
  return config?.pooling_mode_lasttoken ? 'last' : 'mean'
}

function minOf(limits: readonly (number | undefined)[]): number {
  const known = limits.filter((limit) => limit !== undefined)
  return known.length === 0 ? defaultMaxTokens : Math.min(...known)
}

async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is not a valid configuration of a model`, { cause })
  }
}
