import { text as readText } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { promptText } from '../prompts.ts'
import { assertParentsAreMaps, parseSettings, readSettings } from '../settings-file.ts'
import { callTarget, renderCall } from './inference-test.ts'

interface AddOptions {
  readonly model?: string
  readonly name?: string
  readonly endpoint?: string
  readonly keyEnv?: string
  readonly keyStdin?: boolean
  /** False with `--no-test`. */
  readonly test: boolean
}

interface ProviderTraits {
  readonly needsKey?: boolean
  readonly needsEndpoint?: boolean
  readonly hasLogin?: boolean
}

const providers: Readonly<Record<string, ProviderTraits>> = {
  ollama: {},
  openai: { needsKey: true },
  anthropic: { needsKey: true },
  openrouter: { hasLogin: true },
  'openai-compatible': { needsEndpoint: true },
}

export const addTarget = command<AddOptions>({
  usage: 'inference add <provider>',
  summary: `Add a model of ${Object.keys(providers).join(', ')} to the settings, and test it`,
  options: [
    option('--model <name>', 'name of the model at the provider'),
    option('--name <id>', 'name of the target; default: the provider'),
    option('--endpoint <url>', 'base address of the server'),
    option('--key-env <variable>', 'variable of the daemon that holds the key', {
      conflicts: 'keyStdin',
    }),
    option('--key-stdin', 'read the key from stdin and store it as a secret'),
    option('--no-test', 'make no call'),
  ],
  examples: [
    'reverie inference add ollama --model qwen3:8b --no-test',
    'reverie inference add openai --model gpt-5-mini --key-env OPENAI_API_KEY --no-test',
  ],
  run: add,
})

interface Entry {
  readonly name: string
  readonly provider: string
  readonly model: string
  readonly endpoint: string | undefined
  readonly credentialRef: string | undefined
}

async function add(call: Call<AddOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [provider = ''] = args
  const traits = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (!traits) {
    const names = Object.keys(providers).join(', ')
    throw new CliError('usage', 'usage', `${provider} is not one of ${names}`)
  }
  const { name = provider, model = await promptText(call, modelQuestion) } = options
  const endpoint =
    options.endpoint ??
    (traits.needsEndpoint ? await promptText(call, endpointQuestion) : undefined)
  const client = await connect()
  const credentialRef = await readCredential(client, call, { name, traits })
  const ref = await save(client, { name, provider, model, endpoint, credentialRef })
  output.note(`${colors.green('✓')} Added ${toLine(ref)} to the settings`)
  if (options.test) await waitForReload(client, ref)
  const test = options.test ? await callTarget(client, output, ref) : null
  output.result({ targetRef: ref, credentialRef: credentialRef ?? null, test }, () =>
    test ? renderCall(test) : `Test it with: reverie inference test ${toLine(ref)}`,
  )
}

const pollMs = 200
const maxPolls = 50

const modelQuestion = { message: 'Name of the model at the provider', flag: '--model' }
const endpointQuestion = { message: 'Base address of the server', flag: '--endpoint' }
const keyQuestion = {
  message: 'API key, which is stored as a secret',
  flag: '--key-env or --key-stdin',
  isSecret: true,
}

/** The daemon reads a changed file soon after it is written. */
async function waitForReload(client: Client, ref: string): Promise<void> {
  for (let polls = 0; polls < maxPolls; polls++) {
    const { targetRefs = [] } = Object(await client.call('GET /api/inference/status'))
    if (targetRefs.includes(ref)) return
    await setTimeout(pollMs)
  }
}

/** The reference of the key; a key itself is stored as a secret. */
async function readCredential(
  client: Client,
  call: Call<AddOptions>,
  { name, traits }: { readonly name: string; readonly traits: ProviderTraits },
): Promise<string | undefined> {
  const { keyEnv, keyStdin } = call.options
  if (keyEnv !== undefined) return `$env:${keyEnv}`
  if (!keyStdin && !traits.needsKey) return undefined
  const value = keyStdin
    ? (await readText(process.stdin)).trim()
    : await promptText(call, keyQuestion)
  if (value === '') throw new CliError('usage', 'empty', 'the key is empty', 'Pipe it in.')
  const secret = `MODEL_KEY_${name.toUpperCase().replaceAll(/\W/g, '_')}`
  await client.call('POST /api/secrets/:name', { path: { name: secret }, body: { value } })
  return `$secret:${secret}`
}

/** Writes the target and its account, keeps comments and other entries, and returns the ref. */
async function save(client: Client, entry: Entry): Promise<string> {
  const { name, provider, model, endpoint, credentialRef } = entry
  const settings = await readSettings(client)
  const document = parseSettings(settings)
  const set = (path: readonly string[], value: unknown) => {
    assertParentsAreMaps(document, ['inference', ...path])
    document.setIn(['inference', ...path], value)
  }
  const target = ['targets', name]
  const executor: unknown = document.getIn(['inference', ...target, 'executor'])
  if (executor !== undefined && executor !== provider)
    throw new CliError(
      'conflict',
      'name_taken',
      `${name} is a target of ${executor}`,
      'Pass --name.',
    )
  const key = model.replaceAll(/[^\w.:/-]/g, '-').slice(0, 79)
  set([...target, 'executor'], provider)
  if (endpoint !== undefined) set([...target, 'endpoint'], endpoint)
  if (credentialRef !== undefined || providers[provider]?.hasLogin) {
    set(['accounts', name, 'providerFamily'], provider)
    if (credentialRef !== undefined) set(['accounts', name, 'credentialRef'], credentialRef)
    set([...target, 'account'], name)
  }
  set([...target, 'models', key], { model })
  const body = { file: settings.name, content: document.toString() }
  await client.call('POST /api/config', { body })
  return `${name}/${key}`
}
