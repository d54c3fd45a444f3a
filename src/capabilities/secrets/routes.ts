import { type Route, route } from '../../kernel/http/route.ts'
import type { LocalStore } from './local/local-store.ts'
import { deleteSecret, putSecret } from './put-secret.ts'
import * as wire from './schemas.ts'
import { readStatus } from './status.ts'

interface RoutesNeeds {
  readonly store: LocalStore
  readonly keyFile: () => string
}

export function secretsRoutes({ store, keyFile }: RoutesNeeds): readonly Route[] {
  return [
    route({
      name: 'secrets.list',
      method: 'GET',
      path: '/api/secrets',
      permission: 'admin',
      summary: 'List the names of the stored secrets; values are never returned.',
      reply: wire.listReply,
      handle: async () => ({ secrets: [...(await store.listNames())], provider: 'local' as const }),
    }),
    route({
      name: 'secrets.put',
      method: 'POST',
      path: '/api/secrets/:name',
      permission: 'admin',
      limit: 'admin',
      summary: 'Store a secret, or replace its value.',
      params: wire.byName,
      body: wire.putBody,
      reply: wire.savedReply,
      handle: ({ params, body }) => putSecret(store, { ...params, ...body }),
    }),
    route({
      name: 'secrets.delete',
      method: 'DELETE',
      path: '/api/secrets/:name',
      permission: 'admin',
      limit: 'admin',
      summary: 'Delete a secret.',
      params: wire.byName,
      reply: wire.savedReply.omit({ warning: true }),
      handle: ({ params }) => deleteSecret(store, params.name),
    }),
    route({
      name: 'secrets.local-status',
      method: 'GET',
      path: '/api/secrets/vault-local/status',
      permission: 'admin',
      summary: 'Report whether the local secret store is readable, and which key it uses.',
      reply: wire.localStatusReply,
      handle: async () => ({ ...(await readStatus(store)), keyFile: keyFile() }),
    }),
    route({
      name: 'secrets.rotate-key',
      method: 'POST',
      path: '/api/secrets/vault-local/rotate-key',
      permission: 'admin',
      limit: 'admin',
      summary: 'Encrypt all secrets with a new key.',
      reply: wire.rotatedReply,
      handle: async () => ({ success: true as const, ...(await store.rotate()) }),
    }),
  ]
}
