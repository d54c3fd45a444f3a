import { coerce, lt } from 'semver'
import { z } from 'zod'
import { Refusal } from '../../../../kernel/errors/refusal.ts'
import { parseJson } from '../../../../kernel/files/read-text.ts'
import { unavailable, type VaultClient } from '../vault-client.ts'

const program = 'op'
/** Older clients have other options and answers. */
const minVersion = '2.18.0'

export type OnePassword = ReturnType<typeof createOnePassword>

const text = z.string().nullish()
const vaults = z.array(z.object({ id: z.string(), name: z.string() }))
const items = z.array(z.object({ id: z.string(), title: z.string().catch('') }))
const field = z.object({
  id: z.string(),
  label: text,
  type: text,
  purpose: text,
  value: text,
})
const item = z.object({
  id: z.string(),
  title: z.string().catch(''),
  fields: z.array(field).nullish(),
})
export type VaultField = z.output<typeof field>

/** How the service reads vault-b; nothing is written to it. Refuses `vault_client_outdated`. */
export function createOnePassword(client: VaultClient) {
  const known = { isRecent: false }
  /** Asks until the version suffices, so that an update needs no restart. */
  const assertVersion = async () => {
    if (known.isRecent) return
    const version = coerce(await client({ args: ['--version'], secrets: {} }))?.version
    if (version === undefined) throw unavailable(program, 'it does not tell its version')
    if (lt(version, minVersion)) throw outdated(version)
    known.isRecent = true
  }
  const call = async (token: string, args: readonly string[]) => {
    await assertVersion()
    return client({ args, secrets: { OP_SERVICE_ACCOUNT_TOKEN: token } })
  }
  const read = async <Schema extends z.ZodType>(
    schema: Schema,
    token: string,
    args: readonly string[],
  ): Promise<z.output<Schema>> => {
    const { data } = schema.safeParse(parseJson(await call(token, [...args, '--format', 'json'])))
    if (data === undefined) throw unavailable(program, 'its answer is not understood')
    return data
  }
  return {
    listVaults: (token: string) => read(vaults, token, ['vault', 'list']),
    listItems: (token: string, vault: string) =>
      read(items, token, ['item', 'list', '--vault', vault]),
    readFields: async (token: string, vault: string, id: string) =>
      (await read(item, token, ['item', 'get', id, '--vault', vault])).fields ?? [],
    readReference: (token: string, reference: string) =>
      call(token, ['read', '--no-newline', reference]),
  }
}

function outdated(version: string): Refusal {
  const message = `The vault client '${program}' has version ${version}, and vault-b needs ${minVersion} or later. Update it.`
  return new Refusal('unavailable', 'vault_client_outdated', message)
}
