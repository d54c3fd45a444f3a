import { basename, join } from 'node:path'
import { readText } from '../../../kernel/files/read-text.ts'
import { readIdentityFields } from '../../workspace/index.ts'

const identityFile = 'IDENTITY.md'
const knownFiles = new Map([
  ['AGENTS.md', { heading: 'Agent Instructions', maxLength: 12_000 }],
  ['SOUL.md', { heading: 'Soul', maxLength: 4_000 }],
  [identityFile, { heading: 'Identity', maxLength: 2_000 }],
  ['USER.md', { heading: 'About Your User', maxLength: 6_000 }],
])
/** Used unless a profile names others. */
export const defaultFiles: readonly string[] = [...knownFiles.keys()]
/** Characters of any other file. */
const maxOtherLength = 4_000

/** Reads the identity and the given workspace files in their order. */
export async function readIdentity(
  folder: string,
  {
    files,
    fallback = 'Agent',
  }: { readonly files: readonly string[]; readonly fallback?: string | undefined },
) {
  const [identity, ...texts] = await Promise.all(
    [identityFile, ...files].map((file) => readOr(file, readText(join(folder, file)), '')),
  )
  const parts = files.flatMap((file, index) => {
    const { heading, maxLength } = knownFiles.get(file) ?? {
      heading: basename(file, '.md'),
      maxLength: maxOtherLength,
    }
    const text = (texts[index]?.content ?? '').trim().slice(0, maxLength).toWellFormed()
    return text === '' ? [] : [`## ${heading}\n\n${text}`]
  })
  const problems = [identity, ...texts].flatMap((file) => file?.problems ?? [])
  return {
    identity: toIdentity(identity?.content ?? '', fallback),
    /** One section for each file with text. */
    parts,
    /** Unreadable files, each in a sentence. */
    problems: [...new Set(problems)],
  }
}

/** An unreadable file becomes a warning. */
export async function readOr<Content>(name: string, reading: Promise<Content>, none: Content) {
  try {
    return { content: await reading, problems: [] }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { content: none, problems: [`${name} cannot be read (${error.code}).`] }
  }
}

function toIdentity(text: string, fallback: string) {
  const fields = readIdentityFields(text)
  const description = fields.get('description') ?? fields.get('creature')
  return { name: fields.get('name') ?? fallback, ...(description && { description }) }
}
