import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { memoize } from '../cache.ts'

export interface OnnxTask {
  readonly folder: string
  readonly texts: readonly string[]
}

/** Mean of the last layer, for each text. */
export type OnnxResult = readonly Float32Array[]

interface Tensor {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

interface Session {
  readonly inputNames: readonly string[]
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>
}

/** The used part of `onnxruntime-node`. */
interface OnnxRuntime {
  readonly InferenceSession: { create(file: string): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

interface Model {
  readonly runtime: OnnxRuntime
  readonly session: Session
  readonly tokenizer: Tokenizer
}

/** Context length of typical embedding models. */
const maxTokens = 512
const models = new Map<string, () => Promise<Model>>()

/** Task of the worker thread. */
export async function embed({ folder, texts }: OnnxTask): Promise<OnnxResult> {
  const read = models.get(folder) ?? memoize(() => load(folder))
  models.set(folder, read)
  const model = await read()
  const vectors: Float32Array[] = []
  for (const text of texts) vectors.push(await embedOne(model, text))
  return vectors
}

async function load(folder: string): Promise<Model> {
  const runtime = await importRuntime(folder)
  const [tokenizer, session] = await Promise.all([
    readFile(join(folder, 'tokenizer.json'), 'utf8'),
    runtime.InferenceSession.create(join(folder, 'model.onnx')),
  ])
  return { runtime, session, tokenizer: new Tokenizer(JSON.parse(tokenizer), {}) }
}

/** Resolves the package from the model folder, then from this program. */
async function importRuntime(folder: string): Promise<OnnxRuntime> {
  const candidates = [join(folder, 'package.json'), import.meta.url].flatMap((from) => {
    try {
      return [createRequire(from).resolve('onnxruntime-node')]
    } catch {
      // The next location is tried; a missing package is reported after the last one.
      return []
    }
  })
  if (!candidates[0]) throw new Error('the package onnxruntime-node is not installed')
  const imported = await import(pathToFileURL(candidates[0]).href)
  return imported.InferenceSession ? imported : imported.default
}

async function embedOne(
  { runtime, session, tokenizer }: Model,
  text: string,
): Promise<Float32Array> {
  const ids: readonly number[] = tokenizer.encode(text).ids.slice(0, maxTokens)
  const tensorOf = (value: (id: number) => number) =>
    new runtime.Tensor(
      'int64',
      BigInt64Array.from(ids, (id) => BigInt(value(id))),
      [1, ids.length],
    )
  const inputs: Readonly<Record<string, unknown>> = {
    input_ids: tensorOf((id) => id),
    attention_mask: tensorOf(() => 1),
    token_type_ids: tensorOf(() => 0),
  }
  const feeds = session.inputNames.map((name) => [name, inputs[name]])
  const outputs = await session.run(Object.fromEntries(feeds))
  const layer = outputs['last_hidden_state'] ?? Object.values(outputs)[0]
  if (!layer) throw new Error('the model returned no output')
  return meanOf(layer)
}

/** Mean over all tokens; a pooled output has one row. */
function meanOf({ dims, data }: Tensor): Float32Array {
  const width = dims.at(-1) ?? 0
  const rows = data.length / width
  const mean = new Float32Array(width)
  for (const [at, value] of data.entries())
    mean[at % width] = (mean[at % width] ?? 0) + value / rows
  return mean
}
