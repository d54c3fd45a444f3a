import { Reply, type Route, route } from '../../kernel/http/route.ts'
import type { ExecQueue } from './exec/exec-queue.ts'
import { deleteSecret, listSecrets, putSecret, rotateKey } from './put-secret.ts'
import * as wire from './schemas.ts'
import { readStatus } from './status.ts'
import type { VaultOperationNeeds } from './vaults/operations.ts'
import type { SecretProvider } from './vaults/provider.ts'
import { vaultRoutes } from './vaults/routes.ts'

interface RoutesNeeds extends VaultOperationNeeds {
  readonly provider: SecretProvider
  readonly queue: ExecQueue
  readonly keyFile: () => string
}

export function secretsRoutes(needs: RoutesNeeds): readonly Route[] {
  return [...storeRoutes(needs), ...execRoutes(needs.queue), ...vaultRoutes(needs)]
}

function execRoutes(queue: ExecQueue): readonly Route[] {
  return [
    route({
      name: 'secrets.exec',
      method: 'POST',
      path: '/api/secrets/exec',
      permission: 'admin',
      summary: 'Queue a command that receives secrets in its environment; its output is redacted.',
      body: wire.execBody,
      reply: wire.startedReply,
      handle: async ({ caller, body }) => new Reply(202, await queue.start(caller, body)),
    }),
    route({
      name: 'secrets.exec-status',
      method: 'GET',
      path: '/api/secrets/exec/:jobId',
      permission: 'admin',
      summary: 'Read the state and the redacted output of a command with secrets.',
      params: wire.byJob,
      reply: wire.jobReply,
      handle: async ({ caller, params }) => queue.read(caller, params.jobId),
    }),
    route({
      name: 'secrets.exec-named',
      method: 'POST',
      path: '/api/secrets/:name/exec',
      permission: 'admin',
      summary: 'Queue a command that receives one secret under its own name.',
      params: wire.byName,
      body: wire.namedExecBody,
      reply: wire.startedReply,
      handle: async ({ caller, params: { name }, body }) =>
        new Reply(
          202,
          await queue.start(caller, { ...body, secrets: body.secrets ?? { [name]: name } }),
        ),
    }),
  ]
}

function storeRoutes(needs: RoutesNeeds): readonly Route[] {
  const { store, keyFile } = needs
  return [
    route({
      name: 'secrets.list',
      method: 'GET',
      path: '/api/secrets',
      permission: 'admin',
      summary: 'List the names of the stored secrets; values are never returned.',
      reply: wire.listReply,
      handle: ({ caller }) => listSecrets(needs, caller),
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
      handle: ({ caller, params, body }) => putSecret(needs, caller, { ...params, ...body }),
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
      handle: ({ caller, params }) => deleteSecret(needs, caller, params.name),
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
      handle: ({ caller }) => rotateKey(needs, caller),
    }),
  ]
}
