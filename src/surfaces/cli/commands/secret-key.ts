import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyFile, readKeyFile, toKeyId } from '../../../kernel/encryption/key.ts'
import { unwrapKey, wrapKey } from '../../../kernel/encryption/wrap-key.ts'
import { explainError } from '../../../kernel/errors/system-error.ts'
import { type Call, command, option } from '../command.ts'
import { isMissing } from '../daemon-file.ts'
import { findSecretsKeyFile } from '../daemon-settings.ts'
import type { Environment } from '../environment.ts'
import { CliError } from '../failure.ts'
import { colors } from '../output.ts'
import { renderDetail } from '../render.ts'

interface KeyOptions {
  readonly passphraseFile?: string
}

export const secretKey = command<KeyOptions>({
  usage: 'secret key <action> [file]',
  summary: 'Manage the key of the secrets: status, rotate, export FILE or import FILE',
  options: [
    option('--passphrase-file <file>', 'read the passphrase of export and import from this file'),
  ],
  examples: ['reverie secret key status', 'reverie secret key rotate'],
  run: runAction,
})

const actions: Readonly<Record<string, (call: Call<KeyOptions>) => Promise<void>>> = {
  status: showStatus,
  rotate,
  export: exportKey,
  import: importKey,
}

async function runAction(call: Call<KeyOptions>): Promise<void> {
  const [action = ''] = call.args
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (run) return run(call)
  const names = Object.keys(actions).join(', ')
  throw new CliError('usage', 'usage', `${action} is not one of ${names}`)
}

async function showStatus({ output, connect }: Call<KeyOptions>): Promise<void> {
  const client = await connect()
  const status = await client.call('GET /api/secrets/vault-local/status')
  output.result(status, () => renderDetail(status))
}

async function rotate({ output, connect }: Call<KeyOptions>): Promise<void> {
  const client = await connect()
  const rotated = await client.call('POST /api/secrets/vault-local/rotate-key')
  output.result(rotated, () => `${colors.green('✓')} All secrets have a new key. Export it again.`)
}

/** Works on files, so that a key can be saved without a daemon. */
async function exportKey(call: Call<KeyOptions>): Promise<void> {
  const { environment, output } = call
  const file = requireFile(call)
  const keyFile = await readKeyFile(await findKeyFile(environment))
  if ('problem' in keyFile) {
    const message = `the key file cannot be used: ${keyFile.problem}`
    throw new CliError('refused', 'no_key', message, 'The first stored secret creates it.')
  }
  const text = await wrapKey(keyFile.key, await readPassphrase(call))
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
    throw new CliError('conflict', 'not_written', `${file} was not written: ${error.message}`)
  })
  const { keyId } = keyFile
  output.result({ file, keyId }, () => `${colors.green('✓')} The key ${keyId} is in ${file}`)
}

async function importKey(call: Call<KeyOptions>): Promise<void> {
  const { environment, output } = call
  const source = requireFile(call)
  const text = await readText(source)
  const key = await unwrapKey(text, await readPassphrase(call)).catch((error: Error) => {
    throw new CliError('refused', 'no_key', `${source}: ${error.message}`)
  })
  if (!key)
    throw new CliError('refused', 'wrong_passphrase', 'the passphrase does not open the key')
  const keyId = toKeyId(key)
  await assertKeyFits(environment, keyId)
  const file = await findKeyFile(environment)
  await createKeyFile(file, key).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new CliError('conflict', 'key_exists', `${file} exists`, 'Move it away first.')
  })
  output.result({ file, keyId }, () => `${colors.green('✓')} The key ${keyId} is in ${file}`)
}

/** A key that opens nothing here would lock the store. */
async function assertKeyFits({ workspace }: Environment, keyId: string): Promise<void> {
  const file = join(workspace, '.secrets', 'secrets.enc')
  const text = await readFile(file, 'utf8').catch((error) => {
    if (isMissing(error)) return '{}'
    throw error
  })
  const stored: unknown = Object(parse(text)).keyId
  if (stored === undefined || stored === keyId) return
  throw new CliError('refused', 'other_key', `the secrets have the key ${stored}, not ${keyId}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function requireFile({ args: [action, file] }: Pick<Call, 'args'>): string {
  if (file !== undefined) return file
  throw new CliError('usage', 'usage', `pass a file: reverie secret key ${action} FILE`)
}

async function findKeyFile({ workspace }: Environment): Promise<string> {
  return (await findSecretsKeyFile()) ?? join(workspace, '.secrets', 'key')
}

async function readPassphrase({ options, environment }: Call<KeyOptions>): Promise<string> {
  const { passphraseFile } = options
  const text = passphraseFile
    ? (await readText(passphraseFile)).replace(/\r?\n$/, '')
    : await askPassphrase(environment)
  if (text !== '') return text
  throw new CliError('usage', 'empty', 'the passphrase is empty')
}

async function askPassphrase({ isTerminal }: Environment): Promise<string> {
  if (!isTerminal)
    throw new CliError('usage', 'usage', 'a passphrase is required', 'Pass --passphrase-file.')
  const { password } = await import('@clack/prompts')
  const answer = await password({ message: 'Passphrase', output: process.stderr })
  return typeof answer === 'string' ? answer : ''
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError('usage', 'unreadable', `${file} cannot be read`, explainError(error))
  })
}
