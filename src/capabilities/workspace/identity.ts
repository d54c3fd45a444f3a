import type { z } from 'zod'
import { listFiles } from './files.ts'
import type { WorkspaceNeeds } from './needs.ts'
import type { identityReply } from './schemas.ts'

/** Reads `IDENTITY.md`. */
export async function readIdentity(needs: WorkspaceNeeds): Promise<z.input<typeof identityReply>> {
  const file = (await listFiles(needs)).find(({ name }) => name === 'IDENTITY.md')
  const fields = readIdentityFields(file?.content ?? '')
  const find = (name: string) => fields.get(name) ?? ''
  return { name: find('name') || 'Unknown', creature: find('creature'), vibe: find('vibe') }
}

/** Identity fields are short lines at the top of the file. */
const maxLines = 200
const maxLineLength = 200

/** Parses lines such as `- **Name:** Ada`; keys are lower case, the first value wins. */
export function readIdentityFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\n', maxLines)) {
    const [name = '', ...rest] = line.slice(0, maxLineLength).split(':')
    const value = stripMarkup(rest.join(':'))
    const key = stripMarkup(name).toLowerCase()
    if (value !== '' && !fields.has(key)) fields.set(key, value.toWellFormed())
  }
  return fields
}

function stripMarkup(text: string): string {
  return text.replaceAll(/^[\s*_-]+|[\s*_]+$/g, '')
}
