import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TextRows } from '../../kernel/db/rewrite-texts.ts'
import { hasCode } from '../../kernel/errors/has-code.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { createFilesTask, type UpgradeTask } from '../../kernel/jobs/upgrade-tasks.ts'
import { cleanStoredText } from '../../kernel/redaction/clean-text.ts'
import { type Field, hashBody, normalizeBody, renderArtifact } from './files/front-matter.ts'
import type { TranscriptsNeeds } from './needs.ts'

const artifactName = /^\d{4}-[\dTZ.-]+--[a-z2-7]{16}--(?:summary|compaction)\.md$/

const cleanBody = (body: string) => normalizeBody(cleanStoredText(body))

/** Summaries and compactions that an earlier version stored before they were cleaned. */
export const storedArtifacts: TextRows & { readonly id: string } = {
  ...{ id: 'clean-artifacts', table: 'memory_artifacts', keys: ['agent_id', 'source_path'] },
  ...{ columns: ['content', 'source_sha256'], where: "source_kind in ('summary', 'compaction')" },
  rewrite: ([content]) => [cleanBody(content ?? ''), hashBody(cleanBody(content ?? ''))],
}

/** Their files, which hold what the rows hold. */
export function cleanArtifactFiles({
  folder,
  locks,
}: Pick<TranscriptsNeeds, 'folder' | 'locks'>): UpgradeTask {
  return createFilesTask({
    id: 'clean-artifact-files',
    list: async () => (await listMemory(folder)).filter((name) => artifactName.test(name)),
    rewrite: async (name) => {
      const file = join(folder, 'memory', name)
      await locks.withLock(file, async () => {
        const text = await readFile(file, 'utf8')
        const clean = cleanArtifact(text)
        if (clean !== text) await replaceFile(file, clean)
      })
    },
  })
}

async function listMemory(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(join(folder, 'memory'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** A person may have changed the file: a text without our front matter is cleaned as a whole. */
function cleanArtifact(text: string): string {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text) ?? []
  const fields = head.split('\n').map(readField)
  if (fields.some((field) => field === undefined)) return cleanBody(text)
  const content = cleanBody(body)
  const clean = fields.flatMap((field): Field[] => (field ? [cleanField(field, content)] : []))
  return renderArtifact(clean, content)
}

function readField(line: string): Field | undefined {
  const [, name = '', json = ''] = /^(\w+): (.*)$/.exec(line) ?? []
  try {
    return [name, JSON.parse(json)]
  } catch {
    return undefined
  }
}

function cleanField([name, value]: Field, content: string): Field {
  if (name === 'content_sha256') return [name, hashBody(content)]
  const isText = name === 'memory_sentence' && typeof value === 'string'
  return [name, isText ? cleanStoredText(value) : value]
}
