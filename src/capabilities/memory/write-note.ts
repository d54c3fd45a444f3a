import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import type { Host } from '../../kernel/host/host.ts'
import { neutralizeTexts } from '../../kernel/redaction/neutralize.ts'
import { redactContent, type SecretPolicy } from '../../kernel/redaction/redact-content.ts'

/** The folder belongs to the harness, not to the workspace. */
export interface NoteNeeds {
  readonly host: Host
  /** Home of the harness: `$CODEX_HOME` or `~/.codex`. */
  readonly codexHome: string
  readonly secretPolicy: () => SecretPolicy
}

export interface Note {
  readonly content: string
  readonly title: string | undefined
  readonly tags: readonly string[]
}

const maxSlugLength = 48
const maxTitleLength = 80
const maxAttempts = 8

export interface NoteFile {
  /** Absolute. */
  readonly path: string
  /** Number of removed credentials and private spans. */
  readonly redactions: number
}

/** Writes a Markdown file that the harness reads. */
export async function writeNote(
  { host, codexHome, secretPolicy }: NoteNeeds,
  input: Note,
): Promise<NoteFile> {
  const { value, redactions } = redactContent(input, secretPolicy())
  const note = neutralizeTexts(value)
  const folder = join(codexHome, 'memories', 'extensions', 'ad_hoc', 'notes')
  await mkdir(folder, { recursive: true })
  const now = host.now().toISOString()
  const stem = `${now.replaceAll(/[:.]/g, '-')}-${slugOf(note)}`
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const file = join(folder, `${attempt === 0 ? stem : `${stem}-${shortId(host)}`}.md`)
    if (await createFile(file, renderNote(note, now))) return { path: file, redactions }
  }
  throw new Refusal('conflict', 'note_exists', 'A note with this name already exists. Retry.')
}

function renderNote({ content, title, tags }: Note, createdAt: string): string {
  const fields = [
    'source: reverie',
    `created_at: ${createdAt}`,
    ...(title === undefined ? [] : [`title: ${JSON.stringify(title)}`]),
    ...(tags.length === 0 ? [] : [`tags: ${JSON.stringify(tags)}`]),
  ]
  return `---\n${fields.join('\n')}\n---\n\n${content}\n`
}

function slugOf({ title, content }: Note): string {
  const words = (title ?? content.slice(0, maxTitleLength)).normalize('NFKD').toLowerCase()
  const slug = words.replaceAll(/[^a-z0-9]+/g, '-').slice(0, maxSlugLength)
  return slug.replaceAll(/^-+|-+$/g, '') || 'note'
}

/** Returns false when the file exists. */
async function createFile(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

function shortId(host: Host): string {
  return Math.floor(host.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0')
}
