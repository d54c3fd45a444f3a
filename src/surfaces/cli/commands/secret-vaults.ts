import { text as readAll } from 'node:stream/consumers'
import type { Client } from '../../../client/client.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { type Row, renderDetail, renderRows, toRows } from '../render.ts'

interface VaultAOptions {
  readonly folder?: string
  readonly apply?: boolean
  readonly overwrite?: boolean
  readonly deleteLocal?: boolean
}

interface VaultBOptions {
  readonly vault?: readonly string[]
  readonly prefix?: string
  readonly overwrite?: boolean
}

const overwrite = option('--overwrite', 'replace what exists')

export const vaultA = command<VaultAOptions>({
  usage: 'secret vault-a <action> [provider]',
  summary: 'Store secrets in vault-a: status, connect, folders, use PROVIDER, migrate, disconnect',
  options: [
    option('--folder <id>', 'folder of the items, for connect'),
    option('--apply', 'copy the secrets; without it migrate only reports'),
    overwrite,
    option('--delete-local', 'delete the local copies of migrated secrets'),
  ],
  examples: ['reverie secret vault-a status'],
  run: (call) => runAction(call, vaultAActions),
})

export const vaultB = command<VaultBOptions>({
  usage: 'secret vault-b <action>',
  summary: 'Import secrets from vault-b: status, connect, vaults, import, disconnect',
  options: [
    option('--vault <name>', 'a vault to import; repeatable', { type: 'list' }),
    option('--prefix <prefix>', 'first part of the names; default VAULT'),
    overwrite,
  ],
  examples: ['reverie secret vault-b status'],
  run: (call) => runAction(call, vaultBActions),
})

type Action<Options> = (call: Call<Options>, client: Client) => Promise<void>
type Actions<Options> = Readonly<Record<string, Action<Options>>>

async function runAction<Options>(call: Call<Options>, actions: Actions<Options>): Promise<void> {
  const [action = ''] = call.args
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (run) return run(call, await call.connect())
  const names = Object.keys(actions).join(', ')
  throw new CliError('usage', 'usage', `${action} is not one of ${names}`)
}

const vaultAActions: Actions<VaultAOptions> = {
  status: async ({ output }, client) => {
    const status = await client.call('GET /api/secrets/vault-a/status')
    output.result(status, () => renderStatus(Object(status) as Row))
  },
  connect: async ({ options, output }, client) => {
    const body = { session: await readCredential(), folderId: options.folder }
    const reply = await client.call('POST /api/secrets/vault-a/connect', { body })
    output.result(reply, () => `${colors.green('✓')} vault-a is connected`)
  },
  folders: async ({ output }, client) => {
    const reply = await client.call('GET /api/secrets/vault-a/folders')
    output.result(reply, () => renderRows(toRows(Object(reply).folders)))
  },
  use: async ({ args: [, provider = ''], output }, client) => {
    const body = { provider: provider as 'local' | 'vault-a' }
    const reply = await client.call('POST /api/secrets/vault-a/provider', { body })
    output.result(reply, () => `${colors.green('✓')} Secrets are stored in ${toLine(provider)}`)
  },
  migrate: async ({ options, output }, client) => {
    const { apply = false, overwrite: replaces = false, deleteLocal = false } = options
    const body = { dryRun: !apply, overwrite: replaces, deleteLocal }
    const reply = await client.call('POST /api/secrets/vault-a/migrate', { body })
    output.result(reply, () => renderMigration(Object(reply) as Row, apply))
  },
  disconnect: async ({ output }, client) => {
    const reply = await client.call('DELETE /api/secrets/vault-a/connect')
    output.result(reply, () => `${colors.green('✓')} vault-a is disconnected`)
  },
}

const vaultBActions: Actions<VaultBOptions> = {
  status: async ({ output }, client) => {
    const status = await client.call('GET /api/secrets/vault-b/status')
    output.result(status, () => renderStatus(Object(status) as Row))
  },
  connect: async ({ output }, client) => {
    const body = { token: await readCredential() }
    const reply = await client.call('POST /api/secrets/vault-b/connect', { body })
    const count = String(Object(reply).vaultCount)
    output.result(reply, () => `${colors.green('✓')} vault-b is connected with ${count} vaults`)
  },
  vaults: async ({ output }, client) => {
    const reply = await client.call('GET /api/secrets/vault-b/vaults')
    output.result(reply, () => renderRows(toRows(Object(reply).vaults)))
  },
  import: async ({ options, output }, client) => {
    const { vault: vaults, prefix, overwrite: replaces = false } = options
    const body = { vaults, prefix, overwrite: replaces }
    const reply = await client.call('POST /api/secrets/vault-b/import', { body })
    output.result(reply, () => renderImport(Object(reply) as Row))
  },
  disconnect: async ({ output }, client) => {
    const reply = await client.call('DELETE /api/secrets/vault-b/connect')
    output.result(reply, () => `${colors.green('✓')} vault-b is disconnected`)
  },
}

/** From stdin, because other users of the machine see the arguments of a process. */
async function readCredential(): Promise<string> {
  if (process.stdin.isTTY) {
    const message = 'the credential is read from stdin'
    throw new CliError('usage', 'usage', message, 'printf %s "$CREDENTIAL" | reverie secret …')
  }
  return (await readAll(process.stdin)).trim()
}

function renderStatus({ folders, vaults, ...status }: Row): string {
  const listed = [...toRows(folders), ...toRows(vaults)]
  return [renderDetail(status), ...(listed.length > 0 ? [renderRows(listed)] : [])].join('\n')
}

function renderMigration({ results, migratedCount, skippedCount }: Row, applied: boolean): string {
  const rows = toRows(results)
  const verb = applied ? 'were copied' : 'would be copied'
  const summary = `${String(migratedCount)} ${verb}, ${String(skippedCount)} skipped`
  return rows.length === 0 ? 'There is no local secret.' : `${renderRows(rows)}\n${summary}`
}

function renderImport({ imported, skipped, errors }: Row): string {
  const toRow = (state: string) => (entry: Row) => ({
    secret: entry['secretName'],
    item: entry['itemTitle'],
    state,
    reason: entry['reason'] ?? entry['error'],
  })
  const rows = [
    ...toRows(imported).map(toRow('imported')),
    ...toRows(skipped).map(toRow('skipped')),
    ...toRows(errors).map(toRow('failed')),
  ]
  return rows.length === 0 ? 'No field looks like a credential.' : renderRows(rows)
}
