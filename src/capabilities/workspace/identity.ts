import { listFiles } from './list-files.ts'
import type { WorkspaceNeeds } from './needs.ts'

export interface Identity {
  readonly name: string
  readonly creature: string
  readonly vibe: string
}

/** From lines such as `- **Name:** Ada`. */
export async function readIdentity(needs: WorkspaceNeeds): Promise<Identity> {
  const file = (await listFiles(needs)).find(({ name }) => name === 'IDENTITY.md')
  const lines = (file?.content ?? '').split('\n')
  const find = (key: string): string => {
    const line = new RegExp(`^[\\s*_-]*${key}[*_]*\\s*:[*_]*\\s*(?<value>.+)$`, 'i')
    const found = lines.flatMap((text) => line.exec(text)?.groups?.['value'] ?? [])[0]
    return found?.replaceAll(/^[*_\s]+|[*_\s]+$/g, '') ?? ''
  }
  return { name: find('name') || 'Unknown', creature: find('creature'), vibe: find('vibe') }
}
