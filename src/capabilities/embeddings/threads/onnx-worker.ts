import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { onceRead } from '../once-read.ts'

export interface OnnxTask {
  readonly folder: string
  readonly texts: readonly string[]
}

/** The mean of the last layer's vectors, for each text. */
export type OnnxAnswer = readonly Float32Array[]

interface Tensor {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

interface Session {
  readonly inputNames: readonly string[]
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>
}

/** What we use of the package `onnxruntime-node`. */
interface Runtime {
  readonly InferenceSession: { create(file: string): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

interface Model {
  readonly runtime: Runtime
  readonly session: Session
  readonly tokenizer: Tokenizer
}

/** What models of this sort read of a text. */
const mostTokens = 512
const models = new Map<string, () => Promise<Model>>()

/** What a thread is asked to do. */
export async function embed({ folder, texts }: OnnxTask): Promise<OnnxAnswer> {
  const read = models.get(folder) ?? onceRead(() => load(folder))
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

/** From where the model is, else from where this program is. */
async function importRuntime(folder: string): Promise<Runtime> {
  const found = [join(folder, 'package.json'), import.meta.url].flatMap((from) => {
    try {
      return [createRequire(from).resolve('onnxruntime-node')]
    } catch {
      // It is looked for in the next place, and its absence is told once all are seen.
      return []
    }
  })
  if (!found[0]) throw new Error('the package onnxruntime-node is not installed')
  const imported = await import(pathToFileURL(found[0]).href)
  return imported.InferenceSession ? imported : imported.default
}

async function embedOne(
  { runtime, session, tokenizer }: Model,
  text: string,
): Promise<Float32Array> {
  const ids: readonly number[] = tokenizer.encode(text).ids.slice(0, mostTokens)
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
  const wanted = session.inputNames.map((name) => [name, inputs[name]])
  const answered = await session.run(Object.fromEntries(wanted))
  const layer = answered['last_hidden_state'] ?? Object.values(answered)[0]
  if (!layer) throw new Error('the model answers nothing')
  return meanOf(layer)
}

/** Of all tokens; a model that has pooled already answers one row. */
function meanOf({ dims, data }: Tensor): Float32Array {
  const width = dims.at(-1) ?? 0
  const rows = data.length / width
  const mean = new Float32Array(width)
  for (const [at, value] of data.entries())
    mean[at % width] = (mean[at % width] ?? 0) + value / rows
  return mean
}
