import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How a fake client behaves: read from its state file at each call. */
export interface VaultState {
  readonly mode?: 'slow' | 'broken' | 'no-json' | undefined
  readonly session?: string
  readonly status?: string
  readonly folders?: readonly object[]
  readonly items?: readonly object[]
  readonly token?: string
  /** What `op --version` prints. */
  readonly version?: string
  readonly vaults?: readonly object[]
  readonly fields?: Readonly<Record<string, readonly object[]>>
}

/**
 * A program that behaves like the client `bw` or `op`: credentials in the environment, items on
 * standard input as base64. It records its arguments, so that tests can search them for values.
 */
const script = `#!${process.execPath}
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs')
const { dirname, basename, join } = require('node:path')
const folder = dirname(process.argv[1])
const name = basename(process.argv[1])
const file = join(folder, name + '.json')
const state = JSON.parse(readFileSync(file, 'utf8'))
const args = process.argv.slice(2).filter((one) => one !== '--nointeraction')
appendFileSync(join(folder, 'arguments'), process.argv.slice(2).join(' ') + '\\n')
const fail = (text) => { process.stderr.write(text + '\\n'); process.exit(1) }
const print = (value) => { process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value)); process.exit(0) }
const save = () => writeFileSync(file, JSON.stringify(state))
const option = (flag) => args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined
const decode = () => JSON.parse(Buffer.from(readFileSync(0, 'utf8'), 'base64').toString('utf8'))
function bw() {
  const isOpen = process.env.BW_SESSION === state.session
  if (args[0] === 'status') print({ status: isOpen ? (state.status ?? 'unlocked') : 'locked', userEmail: 'ann@example.com', serverUrl: 'https://vault.example' })
  if (!isOpen) fail('Vault is locked. ' + process.env.BW_SESSION)
  if (args[0] === 'sync') print('Syncing complete.')
  if (args[0] === 'list' && args[1] === 'folders') print([...(state.folders ?? []), { id: null, name: 'No Folder' }])
  if (args[0] === 'list') print((state.items ?? []).filter((item) => !option('--search') || item.name.includes(option('--search'))))
  const found = (state.items ?? []).find((item) => item.id === args[2])
  if (args[0] === 'get') found ? print(found) : fail('Not found.')
  if (args[0] === 'create') { const item = { ...decode(), id: 'item-' + ((state.items ?? []).length + 1) }; state.items = [...(state.items ?? []), item]; save(); print(item) }
  if (!found) fail('Not found.')
  if (args[0] === 'edit') { const item = decode(); state.items = state.items.map((one) => one.id === found.id ? item : one); save(); print(item) }
  if (args[0] === 'delete') { state.items = state.items.filter((one) => one.id !== found.id); save(); print('') }
  fail('Unknown command')
}
function op() {
  if (args[0] === '--version') print(state.version ?? '2.30.3\\n')
  if (process.env.OP_SERVICE_ACCOUNT_TOKEN !== state.token) fail('invalid token ' + process.env.OP_SERVICE_ACCOUNT_TOKEN)
  if (args[0] === 'vault') print(state.vaults ?? [])
  if (args[0] === 'item' && args[1] === 'list') print((state.items ?? []).filter((item) => item.vault === option('--vault')))
  if (args[0] === 'item') state.fields?.[args[2]] ? print({ id: args[2], title: args[2], fields: state.fields[args[2]] }) : fail('no access to ' + args[2])
  if (args[0] === 'read') {
    const [, , vault, item, name] = args[2].split('/')
    const isKnown = (state.vaults ?? []).some((one) => one.name === vault)
    const field = isKnown && (state.fields?.[item] ?? []).find((one) => one.id === name)
    field ? print(field.value) : fail('no such item')
  }
  fail('Unknown command')
}
if (state.mode === 'slow') setInterval(() => {}, 1000)
else if (state.mode === 'broken') fail('the client is broken')
else if (state.mode === 'no-json') print('a notice instead of JSON')
else ({ bw, op })[name]()
`

/** Writes both clients into a folder for PATH, with functions that set their state. */
export async function makeVaultClients(folder: string) {
  await mkdir(folder, { recursive: true })
  for (const name of ['bw', 'op']) {
    await writeFile(join(folder, name), script)
    await chmod(join(folder, name), 0o755)
    await writeFile(join(folder, `${name}.json`), '{}')
  }
  const set = (name: string) => (state: VaultState) =>
    writeFile(join(folder, `${name}.json`), JSON.stringify(state))
  const { PATH = '' } = process.env
  return { setA: set('bw'), setB: set('op'), path: `${folder}:${PATH}` }
}
