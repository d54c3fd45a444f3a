import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A longer file is not what an agent is told of itself. */
const mostBytes = 1_048_576

const described = [
  { file: 'AGENTS.md', heading: 'Agent Instructions', most: 12_000 },
  { file: 'SOUL.md', heading: 'Soul', most: 4_000 },
  { file: 'IDENTITY.md', heading: 'Identity', most: 2_000 },
  { file: 'USER.md', heading: 'About Your User', most: 6_000 },
] as const

export interface Identity {
  readonly name: string
  readonly description?: string
}

export interface Described {
  readonly identity: Identity
  /** One for each file that says something, under its heading. */
  readonly parts: readonly string[]
}

/** Who the agent is, by the files of its workspace. */
export async function readIdentity(folder: string, fallback = 'Agent'): Promise<Described> {
  const texts = await Promise.all(described.map(({ file }) => readText(join(folder, file))))
  const parts = described.flatMap(({ heading, most }, index) => {
    const text = (texts[index] ?? '').trim().slice(0, most)
    return text === '' ? [] : [`## ${heading}\n\n${text}`]
  })
  return { identity: toIdentity(texts[2] ?? '', fallback), parts }
}

/** Empty for a file that is not there or too long. */
export async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    return size > mostBytes ? '' : await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** From lines such as `- **Name:** Ada`. */
function toIdentity(text: string, fallback: string): Identity {
  const find = (key: string): string | undefined => {
    const line = new RegExp(`^[\\s*_-]*${key}[*_]*\\s*:[*_]*\\s*(?<value>.+)$`, 'im')
    return line.exec(text)?.groups?.['value']?.replaceAll(/^[*_\s]+|[*_\s]+$/g, '') || undefined
  }
  const description = find('description') ?? find('creature')
  return { name: find('name') ?? fallback, ...(description && { description }) }
}
