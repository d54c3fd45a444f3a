import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { writeNote } from './write-note.ts'

async function createNoteNeeds() {
  const codexHome = await mkdtemp(join(tmpdir(), 'reverie-notes-'))
  onTestFinished(() => rm(codexHome, { recursive: true }))
  return { host: fixedHost(), codexHome, secretPolicy: () => 'redact' as const }
}

test('a note is a Markdown file with front matter', async () => {
  const needs = await createNoteNeeds()

  const { path } = await writeNote(needs, {
    content: 'Tests run with npm test.',
    title: 'How: to "test"?',
    tags: ['a', 'b'],
  })

  expect(path).toBe(
    join(
      needs.codexHome,
      'memories/extensions/ad_hoc/notes/2026-01-02T03-04-05-000Z-how-to-test.md',
    ),
  )
  expect(await readFile(path, 'utf8')).toBe(
    '---\nsource: reverie\ncreated_at: 2026-01-02T03:04:05.000Z\n' +
      'title: "How: to \\"test\\"?"\ntags: ["a","b"]\n---\n\nTests run with npm test.\n',
  )
})

test('a taken name gets a suffix', async () => {
  const needs = await createNoteNeeds()
  const note = { content: '../..', title: undefined, tags: [] }

  const { path: first } = await writeNote(needs, note)
  const { path: second } = await writeNote(needs, note)

  expect(basename(first)).toBe('2026-01-02T03-04-05-000Z-note.md')
  expect(basename(second)).toMatch(/-note-[0-9a-f]{8}\.md$/)
})
