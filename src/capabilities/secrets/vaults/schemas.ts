import { z } from 'zod'
import { anyText, flag, list, text } from '../../../kernel/http/wire-values.ts'

/** A credential of a client: a value of an environment variable. */
const credential = (message: string) =>
  z
    .string(message)
    .trim()
    .min(1, message)
    .max(16_384, 'the credential is too long')
    .refine((value) => !/\p{Cc}/u.test(value), 'the credential must be one line')

const folder = z.object({ id: z.string(), name: z.string() })
const vault = z.object({ id: z.string(), name: z.string() })

export const vaultAStatus = z.object({
  configured: z.boolean(),
  connected: z.boolean(),
  activeProvider: z.boolean(),
  userEmail: z.string().optional(),
  serverUrl: z.string().optional(),
  folders: z.array(folder).optional(),
  error: z.string().optional(),
})

export const connectABody = z
  .object({
    session: z
      .unknown()
      .optional()
      .meta({ type: 'string' })
      .describe('The session of the unlocked client.'),
    token: z.unknown().optional().meta({ type: 'string' }).describe('Another name of `session`.'),
    activate: flag.describe('Store secrets in vault-a from now on; default false.'),
    folderId: text.describe('The folder of managed items.'),
  })
  .meta(anyText('session', 'token'))
  .transform(({ session, token, activate = false, folderId }, context) => {
    const { data, error } = credential('session is required').safeParse(session ?? token)
    if (data === undefined)
      context.addIssue({
        code: 'custom',
        message: error?.issues[0]?.message ?? '',
        path: ['session'],
      })
    return { session: data ?? '', activate, folderId }
  })

export const connectedAReply = vaultAStatus.extend({ success: z.literal(true) })
export const disconnectedReply = z.object({
  success: z.literal(true),
  disconnected: z.literal(true),
  existed: z.boolean(),
  activeProvider: z.boolean().optional(),
})

export const providerBody = z.object({
  provider: z
    .enum(['local', 'vault-a'], 'provider must be local or vault-a')
    .describe('Where secrets are stored from now on.'),
})
export const providerReply = z.object({
  success: z.literal(true),
  provider: z.enum(['local', 'vault-a']),
})

export const foldersReply = z.object({ folders: z.array(folder), count: z.number() })

export const migrateBody = z
  .object({
    dryRun: flag.describe('Report only; default true.'),
    overwrite: flag.describe('Replace items that exist; default false.'),
    deleteLocal: flag.describe('Delete local copies that were migrated; default false.'),
  })
  .transform(({ dryRun = true, overwrite = false, deleteLocal = false }) => ({
    dryRun,
    overwrite,
    deleteLocal,
  }))
export const migrateReply = z.object({
  success: z.boolean(),
  dryRun: z.boolean(),
  deleteLocal: z.boolean(),
  migratedCount: z.number(),
  skippedCount: z.number(),
  deletedLocalCount: z.number(),
  errorCount: z.number(),
  results: z.array(
    z.object({
      name: z.string(),
      action: z.enum(['migrated', 'skipped', 'deleted-local']),
      itemId: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
})

export const vaultBStatus = z.object({
  configured: z.boolean(),
  connected: z.boolean(),
  vaultCount: z.number().optional(),
  vaults: z.array(vault),
  error: z.string().optional(),
})

export const connectBBody = z.object({
  token: credential('token is required').describe('The token of a service account.'),
})
export const connectedBReply = z.object({
  success: z.literal(true),
  connected: z.literal(true),
  vaultCount: z.number(),
  vaults: z.array(vault),
})

export const vaultsReply = z.object({ vaults: z.array(vault), count: z.number() })

export const importBody = z
  .object({
    token: credential('token must be text').optional().describe('A token for this import alone.'),
    vaults: list.describe('Names or ids of vaults; default: all.'),
    prefix: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/, 'prefix must be a short name')
      .optional()
      .describe('First part of the names; default `VAULT`.'),
    overwrite: flag.describe('Replace secrets that exist; default false.'),
  })
  .transform(({ prefix = 'VAULT', overwrite = false, ...body }) => ({ ...body, prefix, overwrite }))

const place = {
  vaultId: z.string(),
  vaultName: z.string(),
  itemId: z.string(),
  itemTitle: z.string(),
}
const candidate = z.object({
  ...place,
  secretName: z.string(),
  baseSecretName: z.string(),
  fieldId: z.string(),
  fieldLabel: z.string(),
  renamed: z.boolean(),
})
export const importReply = z.object({
  success: z.boolean(),
  vaultsScanned: z.number(),
  itemsScanned: z.number(),
  importedCount: z.number(),
  skippedCount: z.number(),
  errorCount: z.number(),
  imported: z.array(candidate),
  skipped: z.array(candidate.extend({ reason: z.string() })),
  errors: z.array(z.object({ ...place, error: z.string() })),
})
