import { Reply, type Route, route } from '../../../kernel/http/route.ts'
import * as wire from '../schemas.ts'
import { createKey, type KeyNeeds, listKeys, readKey, revoke } from './manage-keys.ts'

export function keyRoutes(needs: KeyNeeds): readonly Route[] {
  return [
    route({
      name: 'access.keys',
      method: 'GET',
      path: '/api/auth/api-keys',
      permission: 'admin',
      summary: 'List the API keys without their texts: the live ones, then the ended ones.',
      reply: wire.keysReply,
      handle: async () => ({ keys: (await listKeys(needs)).map(wire.toKeyReply) }),
    }),
    route({
      name: 'access.key',
      method: 'GET',
      path: '/api/auth/api-keys/:id',
      permission: 'admin',
      summary: 'Read an API key without its text.',
      params: wire.byId,
      reply: wire.keyReply,
      handle: async ({ params }) => wire.toKeyReply(await readKey(needs, params.id)),
    }),
    route({
      name: 'access.create-key',
      method: 'POST',
      path: '/api/auth/api-keys',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: 65_536,
      summary: 'Create an API key. Its text is in this reply only.',
      body: wire.keyBody,
      reply: wire.createdKeyReply,
      handle: async (call) => {
        const { key, row } = await createKey(needs, call, call.body)
        return new Reply(201, { ...wire.toKeyReply(row), key })
      },
    }),
    route({
      name: 'access.revoke-key',
      method: 'DELETE',
      path: '/api/auth/api-keys/:id',
      permission: 'admin',
      limit: 'admin',
      summary: 'Revoke an API key immediately, with the tokens that derive from it.',
      params: wire.byId,
      reply: wire.keyReply,
      handle: async ({ caller, params }) => wire.toKeyReply(await revoke(needs, caller, params.id)),
    }),
  ]
}
