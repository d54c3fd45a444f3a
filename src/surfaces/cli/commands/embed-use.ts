import { basename, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { EmbeddingModels, EmbeddingsProgress } from '../../../client/wire.ts'
import { isFolder } from '../../../kernel/files/optional-files.ts'
import { command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import type { Output } from '../output.ts'
import { showProgress } from '../progress.ts'
import { assertParentsAreMaps, parseSettings, readSettings } from '../settings-file.ts'
import { followEmbedding } from './embed.ts'

interface UseOptions {
  readonly name?: string
  readonly file?: string
  readonly sha256?: string
  readonly wait: boolean
}

const pollMs = 500

export const useModel = command<UseOptions>({
  usage: 'embed use <source>',
  summary: 'Use a model of your own for the vectors, or the bundled one with "static"',
  options: [
    option('--name <name>', 'name of the model in the workspace; default: the end of the source'),
    option('--file <path>', 'the model in the source; default: model.onnx, then onnx/model.onnx'),
    option('--sha256 <hash>', 'expected SHA-256 of the model'),
    option('--no-wait', 'return before the vectors are complete'),
  ],
  examples: [
    'reverie embed use ./minilm --name minilm',
    'reverie embed use https://models.example.com/minilm --sha256 4f1c…',
    'reverie embed use static',
  ],
  run: async ({ args: [source = ''], options, output, connect }) => {
    const client = await connect()
    const name =
      source === 'static' ? undefined : await installModel(client, output, source, options)
    await saveModel(client, name)
    const { tracker: initial } = await client.call('POST /api/embeddings/backfill')
    const isActive = ({ active }: EmbeddingsProgress) =>
      active?.startsWith(`${name ?? bundledModel}/`) ?? false
    const isDone = (tracker: EmbeddingsProgress) => tracker.state === 'waiting' || isActive(tracker)
    const tracker = options.wait ? await followEmbedding(client, output, initial, isDone) : initial
    output.result({ model: name ?? 'static', isActive: isActive(tracker), tracker }, () =>
      describeUse(name ?? 'The bundled model', tracker, isActive(tracker)),
    )
    if (tracker.state === 'waiting')
      throw new CliError(
        'busy',
        'provider_unavailable',
        tracker.error ?? 'the model does not reply',
        'Searches use the former vectors. Go back with: reverie embed use static',
      )
  },
})

const bundledModel = 'static-en-256'

function describeUse(name: string, { embedded, total }: EmbeddingsProgress, isActive: boolean) {
  return isActive
    ? `${name} answers searches; ${embedded} of ${total} memories have a vector.`
    : `${name} is being built: ${embedded} of ${total}. Searches use the former vectors until then. See: reverie embed audit`
}

/** Returns the name of the model in the workspace. An installed model is used as it is. */
async function installModel(
  client: Client,
  output: Output,
  source: string,
  { name, file, sha256 }: UseOptions,
): Promise<string> {
  const { models } = await client.call('GET /api/embeddings/models')
  if (models.some((model) => model.name === source)) return source
  const isUrl = /^https?:\/\//i.test(source)
  if (!isUrl && !(await isFolder(source)))
    throw new CliError(
      'usage',
      'no_such_model',
      `${source} is neither a folder, nor a URL, nor an installed model`,
      models.length === 0
        ? 'Pass a folder with model.onnx and tokenizer.json.'
        : `Installed: ${models.map((model) => model.name).join(', ')}`,
    )
  const model = name ?? toName(source)
  const body = {
    source: isUrl ? source : resolve(source),
    name: model,
    ...(file !== undefined && { file }),
    ...(sha256 !== undefined && { sha256 }),
  }
  await client.call('POST /api/embeddings/models', { body })
  await followInstallation(client, output, model)
  return model
}

async function followInstallation(client: Client, output: Output, name: string): Promise<void> {
  const progress = await showProgress(output, `Installing ${name}`, 0)
  try {
    let seenBytes = 0
    for (;;) {
      const { installation } = await client.call('GET /api/embeddings/models')
      assertNotFailed(installation)
      if (installation?.state !== 'running') return
      progress.advance(Math.max(0, installation.receivedBytes - seenBytes))
      seenBytes = installation.receivedBytes
      await pause(pollMs)
    }
  } finally {
    progress.stop()
  }
}

function assertNotFailed(installation: EmbeddingModels['installation']): void {
  if (installation?.state !== 'failed') return
  throw new CliError(
    'fault',
    'model_unusable',
    installation.error ?? 'The installation failed.',
    'The settings are unchanged.',
  )
}

/** Saves the settings of the model; `undefined` is the bundled one. */
async function saveModel(client: Client, name: string | undefined): Promise<void> {
  const settings = await readSettings(client)
  const document = parseSettings(settings)
  assertParentsAreMaps(document, ['embedding', 'provider'])
  document.setIn(['embedding', 'provider'], name === undefined ? 'static' : 'onnx')
  // Settings of the former model do not fit another one.
  for (const key of ['model', 'dimensions', 'prompt_format']) document.deleteIn(['embedding', key])
  if (name !== undefined) document.setIn(['embedding', 'model'], `models/${name}`)
  const body = { file: settings.name, content: document.toString() }
  await client.call('POST /api/config', { body })
}

/** `https://models.example.com/team/MiniLM-L6` becomes `minilm-l6`. */
function toName(source: string): string {
  const end = basename(URL.parse(source)?.pathname ?? resolve(source))
  return end
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
}
