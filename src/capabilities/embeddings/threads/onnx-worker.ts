import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { memoize } from '../cache.ts'
import {
  assertFilesUnchanged,
  type ModelSettings,
  readModelSettings,
} from '../local-models/model-settings.ts'

export interface OnnxTask {
  readonly folder: string
  readonly texts: readonly string[]
}

/** The pooled last layer, for each text. */
export type OnnxResult = readonly Float32Array[]

interface Tensor {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

interface Session {
  readonly inputNames: readonly string[]
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>
}

/** The used part of the packages below. */
interface OnnxRuntime {
  readonly InferenceSession: { create(file: string): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

interface Model {
  readonly runtime: OnnxRuntime
  readonly session: Session
  readonly tokenizer: Tokenizer
  readonly settings: ModelSettings
}

/** The native runtime, then its slower WASM form. The user installs one of them. */
const runtimePackages = ['onnxruntime-node', 'onnxruntime-web']
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

/** Task of the worker thread; loads no model. */
export async function describe({ folder }: Pick<OnnxTask, 'folder'>): Promise<ModelSettings> {
  return await readModelSettings(folder)
}

async function load(folder: string): Promise<Model> {
  const runtime = await importRuntime(folder)
  const settings = await readModelSettings(folder)
  await assertFilesUnchanged(folder, settings)
  const [tokenizer, session] = await Promise.all([
    readFile(join(folder, 'tokenizer.json'), 'utf8'),
    runtime.InferenceSession.create(join(folder, 'model.onnx')),
  ])
  return { runtime, session, tokenizer: new Tokenizer(JSON.parse(tokenizer), {}), settings }
}

/** Resolves the package from the model folder and its parents, then from this program. */
async function importRuntime(folder: string): Promise<OnnxRuntime> {
  const parents = [join(folder, 'package.json'), import.meta.url]
  for (const name of runtimePackages)
    for (const parent of parents) {
      const file = resolvePackage(parent, name)
      if (file === undefined) continue
      const imported = await import(pathToFileURL(file).href)
      return imported.InferenceSession ? imported : imported.default
    }
  throw new Error(
    'the package onnxruntime-node is not installed. Run `npm install onnxruntime-node` in the folder models of the workspace; onnxruntime-web also works, slower',
  )
}

function resolvePackage(parent: string, name: string): string | undefined {
  try {
    return createRequire(parent).resolve(name)
  } catch {
    // The next location is tried; a missing package is reported after the last one.
    return undefined
  }
}

async function embedOne(model: Model, text: string): Promise<Float32Array> {
  const { runtime, session, tokenizer, settings } = model
  const ids = truncate(tokenizer.encode(text).ids, settings.maxTokens)
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
  return pool(layer, settings.pooling)
}

/** Keeps the last token, which ends the text for the model. */
function truncate(ids: readonly number[], maxTokens: number): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)]
}

/** A pooled output has one row. */
function pool({ dims, data }: Tensor, pooling: ModelSettings['pooling']): Float32Array {
  const width = dims.at(-1) ?? 0
  const rows = data.length / width
  if (pooling === 'cls') return data.slice(0, width)
  if (pooling === 'last') return data.slice(data.length - width)
  const mean = new Float32Array(width)
  for (const [at, value] of data.entries())
    mean[at % width] = (mean[at % width] ?? 0) + value / rows
  return mean
}
