import { z } from 'zod'
import { parseJson } from '../../../../kernel/files/read-text.ts'
import { unavailable, type VaultClient } from '../vault-client.ts'

const program = 'bw'
const managedUser = 'svc'
const loginType = 1

/** How the service calls the client of vault-a; `session` unlocks it. */
export type Bitwarden = ReturnType<typeof createBitwarden>

const text = z.string().nullish()
const status = z.object({
  status: z.string(),
  userEmail: text,
  serverUrl: text,
})
const folders = z.array(z.object({ id: z.string().nullable(), name: z.string() }))
const item = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.number(),
  folderId: text,
  login: z.looseObject({ username: text, password: text }).nullish(),
  fields: z.array(z.looseObject({ name: text, value: text })).nullish(),
})
export type VaultItem = z.output<typeof item>

export function createBitwarden(client: VaultClient) {
  const call = (session: string, args: readonly string[], input?: string) =>
    client({
      args: [...args, '--nointeraction'],
      secrets: { BW_SESSION: session },
      ...(input !== undefined && { input }),
    })
  const read = async <Schema extends z.ZodType>(
    schema: Schema,
    session: string,
    args: readonly string[],
  ): Promise<z.output<Schema>> => {
    const { data } = schema.safeParse(parseJson(await call(session, args)))
    if (data === undefined) throw unavailable(program, 'its answer is not understood')
    return data
  }
  return {
    readStatus: (session: string) => read(status, session, ['status']),
    sync: (session: string) => call(session, ['sync']),
    listFolders: async (session: string) =>
      (await read(folders, session, ['list', 'folders'])).flatMap(({ id, name }) =>
        id === null ? [] : [{ id, name }],
      ),
    /** Login items of the service, in the folder if one is chosen. */
    listManaged: async (session: string, folderId: string | undefined, search?: string) => {
      const filter = search === undefined ? [] : ['--search', search]
      const items = await read(z.array(item), session, ['list', 'items', ...filter])
      return items.filter(
        (one) =>
          one.type === loginType &&
          one.login?.username === managedUser &&
          (folderId === undefined || one.folderId === folderId),
      )
    },
    readItem: (session: string, id: string) => read(item, session, ['get', 'item', id]),
    create: async (session: string, entry: NewItem): Promise<string> => {
      const created = parseJson(await call(session, ['create', 'item'], encode(toItem(entry))))
      return String(Object(created).id ?? '')
    },
    /** Changes the password and leaves all else of the item. */
    update: async (session: string, existing: VaultItem, value: string): Promise<void> => {
      const changed = { ...existing, login: { ...existing.login, password: value } }
      await call(session, ['edit', 'item', existing.id], encode(changed))
    },
    remove: async (session: string, id: string): Promise<void> => {
      await call(session, ['delete', 'item', id])
    },
  }
}

interface NewItem {
  readonly name: string
  readonly value: string
  readonly folderId: string | undefined
}

function toItem({ name, value, folderId = undefined }: NewItem) {
  return {
    type: loginType,
    name,
    notes: null,
    favorite: false,
    folderId: folderId ?? null,
    login: { username: managedUser, password: value, uris: [] },
  }
}

/** The client expects base64 on its standard input, where no other user can read it. */
function encode(entry: object): string {
  return Buffer.from(JSON.stringify(entry)).toString('base64')
}
