import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { cleanMemoryFiles } from './clean-files.ts'
import { writeMemoryFile } from './memory-file.ts'
import { findHead, leaseHead, updateHead } from './store.ts'
import { onEachEngine, synthesisFixture } from './synthesis.fixture.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const lines = [
  `- [fact] DB_PASSWORD=rosebud ${key}`,
  '- a <private>umbrage',
  '- b &lt;private>umbrage',
  '- c <system-reminder>',
  '- the end',
]
const body = `# Working Memory Summary\n${lines.join('\n')}\n`
const clean = `# Working Memory Summary\n${[
  '- [fact] DB_PASSWORD=[REDACTED] [REDACTED]',
  '- a ',
  '- b ',
  '- c &lt;system-reminder>',
  '- the end',
].join('\n')}\n`
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const toRender = (text: string, hash = hashOf(text)) =>
  `<!-- svc:memory generated 2026-01-02T03:04Z sha256:${hash} -->\n${text}`
const renders = [
  'MEMORY.md',
  'memory/MEMORY.backup-2026-01-01T00-00-00.000Z.md',
  'agents/ada/MEMORY.md',
  'agents/ada/memory/MEMORY.backup-2026-01-01T00-00-00.000Z.md',
]

/** A workspace as an earlier version left it. */
async function upgradeFixture(db: Db) {
  const { options: needs } = await synthesisFixture(db)
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(needs.folder, path)), { recursive: true })
    await writeFile(join(needs.folder, path), text)
  }
  const read = (path: string) => readFile(join(needs.folder, path), 'utf8')
  for (const path of renders) await write(path, toRender(body))
  const lease = { agentId: 'ada', token: 't' }
  await leaseHead(db, { ...lease, now: '2026', until: '2027' })
  await updateHead(db, { ...lease, contentHash: hashOf(body), writtenAt: '2026' })
  return { needs, write, read, upgrade: () => cleanMemoryFiles(needs).run(undefined) }
}

onEachEngine('an upgrade cleans MEMORY.md and its backups, with their hashes', async (db) => {
  const { needs, write, read, upgrade } = await upgradeFixture(db)
  await write('runtime/last-synthesis.ada.json', JSON.stringify({ contentHash: hashOf(body) }))

  expect(await upgrade()).toBe(undefined)

  for (const path of renders) expect(await read(path)).toBe(toRender(clean))
  expect(await findHead(db, 'ada')).toMatchObject({ contentHash: hashOf(clean), revision: 1 })
  expect(await read('runtime/last-synthesis.ada.json')).toContain(hashOf(clean))
  await writeMemoryFile(needs, { agentId: 'ada', body: clean })
  expect(await read('agents/ada/MEMORY.md')).toBe(toRender(clean))
})

onEachEngine('a render that a person changed is cleaned, and their own file stays', async (db) => {
  const { needs, write, read, upgrade } = await upgradeFixture(db)
  await write('MEMORY.md', body)
  await write('memory/mine.md', body)
  const changed = 'a <private>b\nc</private> d\n'
  await writeFile(join(needs.folder, 'agents/ada/MEMORY.md'), toRender(changed, hashOf(body)))

  await upgrade()

  expect(await read('MEMORY.md')).toBe(body)
  expect(await read('memory/mine.md')).toBe(body)
  expect(await read('agents/ada/MEMORY.md')).toBe(toRender('a  d\n', hashOf(body)))
})
