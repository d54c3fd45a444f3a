import type { z } from 'zod'
import { toDigest } from '../../../kernel/auth/api-key.ts'
import type { Principal } from '../../../kernel/auth/authenticate.ts'
import type { Caller, Scope } from '../../../kernel/auth/caller.ts'
import { assertMayGrant } from '../../../kernel/auth/permission.ts'
import { assertGrantable } from '../../../kernel/auth/token.ts'
import { DatabaseConflict } from '../../../kernel/db/database-error.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { AccessNeeds } from '../needs.ts'
import { contradictingScope, keyNotFound, pastExpiry, tooManyKeys } from '../refusals.ts'
import type { keyBody } from '../schemas.ts'
import {
  countLiveKeys,
  findKey,
  insertKey,
  listEndedKeys,
  listLiveKeys,
  revokeKey,
} from '../store/api-keys.ts'
import { type ApiKey, generateKey, maxLiveKeys } from './api-key.ts'
import type { Keyring } from './keyring.ts'

export type KeyNeeds = Pick<AccessNeeds, 'db' | 'host' | 'log'> & { readonly keyring: Keyring }

type KeyRequest = z.output<typeof keyBody>

interface Maker {
  readonly caller: Pick<Caller, 'name'>
  readonly principal: Pick<Principal, 'role' | 'permissions' | 'claims'>
}

/** The text of the key is in no other reply and in no file. */
export async function createKey(
  needs: KeyNeeds,
  { caller, principal }: Maker,
  request: KeyRequest,
): Promise<{ readonly key: string; readonly row: ApiKey }> {
  const { host, keyring, log } = needs
  const permissions = request.permissions ?? null
  assertGrantable(request.role, request.permissions)
  assertMayGrant(principal, request)
  const now = host.now()
  const limits = toLimits(request)
  const expiresAt = toExpiry(request.expiresAt, principal.claims, now)
  const { row, text } = await insertUnique(needs, {
    id: host.newId(),
    name: request.name,
    role: request.role,
    ...limits,
    permissions,
    connector: request.connector ?? null,
    harness: request.harness ?? null,
    createdBy: caller.name,
    createdAt: now.toISOString(),
    lastUsedAt: null,
    revokedAt: null,
    expiresAt,
  })
  keyring.invalidate()
  log.info({ id: row.id, prefix: row.prefix, by: caller.name }, 'API key created')
  return { key: text, row }
}

type Draft = Omit<ApiKey, 'prefix' | 'digest'>

/** Repeats with another prefix in the rare case that it exists. */
async function insertUnique({ db }: KeyNeeds, draft: Draft) {
  for (;;) {
    const { prefix, text } = generateKey()
    const row = { ...draft, prefix, digest: toDigest(text).toString('hex') }
    try {
      await transaction(db, async (own) => {
        if ((await countLiveKeys(own, row.createdAt)) >= maxLiveKeys) throw tooManyKeys(maxLiveKeys)
        await insertKey(own, row)
      })
      return { row, text }
    } catch (error) {
      if (!(error instanceof DatabaseConflict)) throw error
    }
  }
}

/** The scope names the agent and the project that the other fields name, too. */
function toLimits({ scope, agentId, allowedProjects }: KeyRequest) {
  if (agentId !== undefined && scope.agent !== undefined && scope.agent !== agentId)
    throw contradictingScope('agentId', scope.agent)
  if (allowedProjects && scope.project !== undefined && !allowedProjects.includes(scope.project))
    throw contradictingScope('allowedProjects', scope.project)
  const agent = scope.agent ?? agentId
  const projects = scope.project === undefined ? allowedProjects : [scope.project]
  const effective: Scope = {
    ...(scope.project !== undefined && { project: scope.project }),
    ...(agent !== undefined && { agent }),
  }
  return { scope: effective, agentId: agent ?? null, allowedProjects: projects ?? null }
}

/** A key ends no later than the key that creates it. */
function toExpiry(
  expiry: string | undefined,
  maker: Principal['claims'],
  now: Date,
): string | null {
  if (expiry !== undefined && Date.parse(expiry) <= now.getTime()) throw pastExpiry(expiry)
  const end = expiry === undefined ? undefined : Date.parse(expiry)
  const makerEnd =
    maker?.key === undefined || maker.exp === undefined ? undefined : maker.exp * 1000
  const ends = [end, makerEnd].filter((time) => time !== undefined)
  return ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString()
}

/** All live keys, then the newest that have ended. */
export async function listKeys({ db, host }: KeyNeeds): Promise<readonly ApiKey[]> {
  const now = host.now().toISOString()
  return [...(await listLiveKeys(db, now)), ...(await listEndedKeys(db, now))]
}

export async function readKey({ db }: Pick<KeyNeeds, 'db'>, id: string): Promise<ApiKey> {
  const key = await findKey(db, id)
  if (!key) throw keyNotFound()
  return key
}

/** A revoked key stays revoked; its first time of revocation stays. */
export async function revoke(
  needs: KeyNeeds,
  caller: Pick<Caller, 'name'>,
  id: string,
): Promise<ApiKey> {
  const { db, host, keyring, log } = needs
  const { revokedAt } = await readKey(needs, id)
  if (revokedAt === null) {
    await revokeKey(db, id, host.now().toISOString())
    keyring.invalidate()
    // Reads the keys now, which ends the open streams of the key.
    await keyring.findById(id)
    log.info({ id, by: caller.name }, 'API key revoked')
  }
  return readKey(needs, id)
}
