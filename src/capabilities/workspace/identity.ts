import { readIdentityFields } from './identity-fields.ts'
import { listFiles } from './list-files.ts'
import type { WorkspaceNeeds } from './needs.ts'

export interface Identity {
  readonly name: string
  readonly creature: string
  readonly vibe: string
}

/** Reads `IDENTITY.md`. */
export async function readIdentity(needs: WorkspaceNeeds): Promise<Identity> {
  const file = (await listFiles(needs)).find(({ name }) => name === 'IDENTITY.md')
  const fields = readIdentityFields(file?.content ?? '')
  const find = (name: string) => fields.get(name) ?? ''
  return { name: find('name') || 'Unknown', creature: find('creature'), vibe: find('vibe') }
}
