import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Words that plain technical English replaces. The changelog and the contract keep theirs. */
const words =
  /\b(?:told|asked|kept|heard|anew|whoever|nobody|beside|lets go|is none)\b|\b(?:most|least|longest|usual)[A-Z]|AtOnce\b|\.\.\.\{/g
/** Language tables contain words of everyday text as data. */
const ignoredFiles =
  /^CHANGELOG\.md$|^test\/architecture\/vocabulary\.|\.schema\.json$|^models\/|\/rules\/languages\/|\/answers\/[\w-]+-words\.ts$/
const store = 'vitest run -u --project unit test/architecture/vocabulary.test.ts'

interface Vocabulary {
  /** Lines with an honest use of a word, each with its reason. */
  readonly allowed: readonly {
    readonly file: string
    readonly line: string
    readonly reason: string
  }[]
  readonly counts: Readonly<Record<string, number>>
}

const file = new URL('./vocabulary.json', import.meta.url)
const stored: Vocabulary = JSON.parse(await readFile(file, 'utf8'))
const counts = await countWords()

test('no folder gains words that plain technical English replaces', () => {
  const higher = Object.entries(counts)
    .filter(([folder, count]) => count > (stored.counts[folder] ?? 0))
    .map(([folder, count]) => `${folder}: ${stored.counts[folder] ?? 0} → ${count}`)
  expect(higher, 'Use standard terms, or allow the line with a reason.').toEqual([])
})

test('lower counts are stored, so that they cannot rise again', async () => {
  const higher = Object.entries(counts).some(([name, count]) => count > (stored.counts[name] ?? 0))
  if (higher) return
  const text = `${JSON.stringify({ ...stored, counts }, null, 2)}\n`
  await expect(text, `Store the lower counts: ${store}`).toMatchFileSnapshot(file.pathname)
})

test('each allowed line exists and gives a reason', async () => {
  for (const { file, line, reason } of stored.allowed) {
    expect(await readFile(file, 'utf8')).toContain(line)
    expect(reason).not.toBe('')
  }
})

async function countWords(): Promise<Record<string, number>> {
  const run = promisify(execFile)
  const { stdout } = await run('git', ['ls-files', '*.ts', '*.md', '*.cjs', '*.mjs'])
  const files = stdout.split('\n').filter((name) => name !== '' && !ignoredFiles.test(name))
  const found = await Promise.all(
    files.map(async (name) => [toFolder(name), await countIn(name)] as const),
  )
  const totals = new Map<string, number>()
  for (const [folder, count] of found)
    if (count > 0) totals.set(folder, (totals.get(folder) ?? 0) + count)
  return Object.fromEntries([...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function countIn(name: string): Promise<number> {
  // A deleted file stays in the index until the commit.
  const text = await readFile(name, 'utf8').catch(() => '')
  const allowed = stored.allowed.filter(({ file }) => file === name).map(({ line }) => line)
  const lines = text.split('\n').filter((line) => !allowed.includes(line.trim()))
  return lines.join('\n').match(words)?.length ?? 0
}

/** `src/kernel`, `test/api`, `docs`; files at the root count as `.`. */
function toFolder(name: string): string {
  return name.split('/').slice(0, -1).slice(0, 2).join('/') || '.'
}
