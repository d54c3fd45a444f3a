import { Reply } from '../../kernel/http/route.ts'
import { RegistryUnreadable } from './registry-file.ts'
import { type Registered, toRecord } from './state.ts'

/** Replies with the changed record; 500 if the registry file cannot be read. */
export async function replyWithRecord(change: Promise<Registered>, version: string) {
  try {
    return { plugin: toRecord(await change, version) }
  } catch (error) {
    if (!(error instanceof RegistryUnreadable)) throw error
    const message = `${error.message} Restore or remove runtime/plugins/registry.json, then restart.`
    return new Reply(500, { error: message, code: 'plugin_registry_unreadable' } as never)
  }
}
