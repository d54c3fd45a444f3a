import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { createTimeoutLatch } from '../breaker.ts'
import { EmbeddingFailure } from '../embedder.ts'
import { createOnnxEmbedder } from '../providers/onnx.ts'
import { findPromptFormat } from '../providers/protocol.ts'
import {
  assertFilesUnchanged,
  hashFile,
  manifestName,
  manifestSchema,
  readModelSettings,
} from './model-settings.ts'
import { copyFrom, downloadFrom, type ReadFile, type SourceFile } from './model-source.ts'

export interface InstallRequest {
  readonly name: string
  /** A folder of this machine or a URL. */
  readonly source: string
  /** Of the model in the source; default `model.onnx`, then `onnx/model.onnx`. */
  readonly file?: string | undefined
  /** Expected of the model. */
  readonly sha256?: string | undefined
}

export interface InstallNeeds {
  readonly host: Host
  readonly outbound: Pick<Outbound, 'fetch'>
  /** `models` of the workspace. */
  readonly folder: string
}

export type OnFile = (progress: {
  readonly file: string
  readonly receivedBytes: number
  readonly totalBytes: number
}) => void

const modelName = 'model.onnx'
const tokenizerName = 'tokenizer.json'
/** Read where the source has them. */
const optionalNames = [
  'config.json',
  'sentence_bert_config.json',
  'tokenizer_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
  manifestName,
]
const checkTimeoutMs = 60_000
/** Texts whose vectors must differ. */
const checkTexts = [
  'The gate to the orchard is locked.',
  'A new string for the violin costs little.',
]
const maxSameCosine = 0.9999

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** The folder of an unfinished installation; the next one continues its downloads. */
export function stagingOf(folder: string, name: string): string {
  return join(folder, `.${name}.part`)
}

/** Brings the files into `models/NAME`, checks the model on two sentences and records the hashes. */
export async function installModel(
  needs: InstallNeeds,
  request: InstallRequest,
  { signal, onFile }: { readonly signal: AbortSignal; readonly onFile: OnFile },
): Promise<void> {
  const { folder, outbound } = needs
  const { name, source, sha256 } = request
  const staging = stagingOf(folder, name)
  const read = isUrl(source) ? downloadFrom(outbound, source) : copyFrom(source)
  const files = await readFiles(read, request, { staging, signal, onFile })
  const settings = await readModelSettings(staging)
  await assertFilesUnchanged(staging, settings)
  const hashes = await describeFiles(staging, files)
  if (sha256 !== undefined && hashes[modelName]?.sha256 !== sha256) {
    await rm(join(staging, modelName))
    throw invalid(
      'model_checksum',
      `The model has the SHA-256 ${hashes[modelName]?.sha256}, not ${sha256}. Check the source.`,
    )
  }
  const dimensions = await checkModel(needs, staging, settings.dimensions)
  const manifest = { ...(await readManifest(staging)), dimensions, files: hashes }
  await writeFile(join(staging, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  await rename(staging, join(folder, name))
}

interface Staging extends Pick<SourceFile, 'signal'> {
  readonly staging: string
  readonly onFile: OnFile
}

/** Returns the names of the files, relative to the folder of the model. */
async function readFiles(
  readFrom: ReadFile,
  { file }: InstallRequest,
  { staging, signal, onFile }: Staging,
): Promise<readonly string[]> {
  await mkdir(staging, { recursive: true })
  const read = async (from: string, name: string): Promise<boolean> => {
    const to = join(staging, name)
    return await readFrom({
      from,
      to,
      signal,
      onProgress: ({ bytes, total }) =>
        onFile({ file: name, receivedBytes: bytes, totalBytes: total }),
    })
  }
  const candidates = file === undefined ? [modelName, `onnx/${modelName}`] : [file]
  // A wrong source has no tokenizer, which is small; the model may take minutes.
  if (!(await read(tokenizerName, tokenizerName))) throw incomplete(tokenizerName)
  const names = [tokenizerName]
  for (const from of candidates) {
    if (!(await read(from, modelName))) continue
    names.push(modelName)
    const data = `${from}_data`
    const dataName = data.split('/').at(-1) ?? data
    if (await read(data, dataName)) names.push(dataName)
    break
  }
  if (!names.includes(modelName)) throw incomplete(candidates.join(' or '))
  for (const name of optionalNames) if (await read(name, name)) names.push(name)
  return names.filter((name) => name !== manifestName)
}

async function describeFiles(folder: string, names: readonly string[]) {
  const entries: [string, { bytes: number; sha256: string }][] = []
  for (const name of names) {
    const path = join(folder, name)
    entries.push([name, { bytes: (await stat(path)).size, sha256: await hashFile(path) }])
  }
  return Object.fromEntries(entries)
}

async function checkModel(
  { host }: InstallNeeds,
  folder: string,
  expected: number | undefined,
): Promise<number> {
  const embedder = createOnnxEmbedder({
    host,
    folder,
    promptFormat: undefined,
    impliedFormat: findPromptFormat(folder),
    timeoutMs: checkTimeoutMs,
    latch: createTimeoutLatch(),
  })
  try {
    const { dims } = await embedder.identity()
    if (expected !== undefined && expected !== dims)
      throw invalid(
        'model_unusable',
        `The vectors have ${dims} dimensions, not ${expected} as ${manifestName} says.`,
      )
    const [first, second] = await embedder.embed({ texts: checkTexts, kind: 'document' })
    if (!first || !second || cosineOf(first.whole, second.whole) > maxSameCosine)
      throw invalid(
        'model_unusable',
        'The model gives two different sentences the same vector. Check the pooling in reverie-model.json.',
      )
    return dims
  } catch (error) {
    if (error instanceof EmbeddingFailure) throw invalid('model_unusable', `${error.message}.`)
    throw error
  } finally {
    await embedder.close()
  }
}

function cosineOf(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}

async function readManifest(folder: string): Promise<object> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => '{}')
  return manifestSchema.parse(JSON.parse(text))
}

function incomplete(name: string): Refusal {
  return invalid(
    'model_incomplete',
    `The source has no ${name}. A model needs model.onnx or onnx/model.onnx, and tokenizer.json.`,
  )
}

function invalid(code: string, message: string): Refusal {
  return new Refusal('invalid', code, message)
}
