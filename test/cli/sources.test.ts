import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startFakeCodeHost } from '../support/fake-code-host.ts'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { isLong } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { createDocument, createPdf, createPptx, createSheet } from '../support/office-files.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const token = ['synthetic', 'token', 'of', 'a', 'host'].join('-')
const codeHost = await startFakeCodeHost(token)
const service = await startService({
  mode: 'local',
  engine: 'sqlite',
  config: {
    outbound: { allow: [codeHost.url] },
    sources: { codeHost: { apiUrl: codeHost.url } },
  },
})
afterAll(async () => {
  await service.stop()
  await codeHost.stop()
})
const env = { SVC_URL: service.url, SVC_PATH: service.workspace, SVC_AGENT_ID: 'ada' }

const notes = isLong ? 2_000 : 60
/** The aim; a short run shares its cores with other tests. */
const foundWithinMs = isLong ? 5_000 : 30_000

/** A word of no language for each number. */
const wordOf = (number: number) =>
  `zarv${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}quex`
const pathOf = (number: number) => `bed-${number % 20}/note-${number}.md`
const noteOf = (number: number) =>
  `# Note ${number}\n\nThe ${wordOf(number)} grows in bed ${number % 20}.\n`

async function run(...args: readonly string[]) {
  const { stdout, stderr, code } = await runReverie([...args, '--json'], {
    env,
    input: `${token}\n`,
  })
  expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, stderr])
  return JSON.parse(stdout)
}

type Row = Readonly<Record<'content' | 'source' | 'source_path' | 'trust', string>>
const recall = async (query: string) => {
  const reply = await service.ask('POST /api/memory/recall', { body: { query } })
  return reply.body['results'] as readonly Row[]
}
const pathsFor = async (query: string) => (await recall(query)).map((row) => row.source_path)
const soon = { timeout: foundWithinMs, interval: 50 }

async function writeNotes(vault: string) {
  for (let number = 0; number < notes; number++) {
    await mkdir(dirname(join(vault, pathOf(number))), { recursive: true })
    await writeFile(join(vault, pathOf(number)), noteOf(number))
  }
}

async function writeFiles(folder: string) {
  const files = {
    'report.docx': await createDocument('docx'),
    'people.xlsx': createSheet('xlsx'),
    'kickoff.pptx': createPptx(),
    'survey.pdf': createPdf(['The zarvpdfquex nests under the eaves.']),
    'trees.csv': Buffer.from('tree,place\nzarvcsvquex,mill\n'),
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  return Object.keys(files).map((name) => join(folder, name))
}

test('a vault, files and a repository are added, found, followed and deleted without a trace', async () => {
  const vault = join(await makeFolder(), 'vault')
  await writeNotes(vault)
  const { issues, files } = codeHost.repo('moss/garden')
  issues.set(7, { number: 7, title: 'Ladder', body: 'The zarvissuequex wobbles.' })
  files.set('README.md', '# Garden\n\nThe zarvreadmequex leans on the granary.')
  await run('secret', 'put', 'HOST_TOKEN')

  const added = await run('source', 'add', 'vault', vault)
  expect(added.job).toMatchObject({ status: 'complete', indexed: notes })
  const about = await runReverie(['source', 'show', added.source.id], { env })
  expect(about.stdout).toMatch(new RegExp(`complete +${notes} of ${notes} +${notes}`))
  expect(about.stdout).not.toContain('{')
  const imported = await run('import', 'files', ...(await writeFiles(await makeFolder())))
  expect(imported).toMatchObject({ imported: 5, failed: 0 })
  const repo = await run('source', 'add', 'github', 'moss/garden', '--token', 'HOST_TOKEN')
  expect(repo.job).toMatchObject({ status: 'complete' })

  const last = notes - 1
  const questions: readonly (readonly [string, string, string])[] = [
    [`where does the ${wordOf(0)} grow`, 'source_notes_vault', pathOf(0)],
    [`where does the ${wordOf(last)} grow`, 'source_notes_vault', pathOf(last)],
    ['what did the committee approve', 'source_import', 'report.docx'],
    ['the sum of Grace', 'source_import', 'people.xlsx'],
    ['when does the project start', 'source_import', 'kickoff.pptx'],
    ['where does the zarvpdfquex nest', 'source_import', 'survey.pdf'],
    ['the place of the zarvcsvquex', 'source_import', 'trees.csv'],
    ['what does the zarvissuequex do', 'source_code_host', 'moss/garden/issues/7'],
    ['where is the zarvreadmequex', 'source_code_host', 'moss/garden/docs/README.md'],
  ]
  for (const [question, source, path] of questions)
    await expect
      .poll(async () => recall(question), soon)
      .toContainEqual(
        expect.objectContaining({
          source,
          trust: 'external',
          source_path: expect.stringContaining(path),
        }),
      )
  const { results } = await run('recall', `where does the ${wordOf(3)} grow`)
  expect(results).toContainEqual(expect.objectContaining({ source_path: join(vault, pathOf(3)) }))
  const shown = await runReverie(['recall', 'where does the zarvpdfquex nest'], { env })
  expect(shown.stdout).toMatch(/zarvpdfquex nests under the eaves\.\n +survey\.pdf · /)

  await writeFile(join(vault, pathOf(1)), '# Note 1\n\nThe zarveditquex replaces it.\n')
  await expect
    .poll(() => pathsFor('what does the zarveditquex replace'), soon)
    .toContain(join(vault, pathOf(1)))
  await rename(join(vault, pathOf(2)), join(vault, 'moved.md'))
  await expect
    .poll(() => pathsFor(`where does the ${wordOf(2)} grow`), soon)
    .toContain(join(vault, 'moved.md'))
  await expect
    .poll(() => pathsFor(`where does the ${wordOf(2)} grow`), soon)
    .not.toContain(join(vault, pathOf(2)))
  await rm(join(vault, pathOf(4)))
  await expect
    .poll(() => pathsFor(`where does the ${wordOf(4)} grow`), soon)
    .not.toContain(join(vault, pathOf(4)))

  const { sources } = await run('source', 'list')
  expect(sources).toHaveLength(7)
  await run('source', 'delete', added.source.id, '--yes')
  for (const { id } of sources.filter(({ id }: { id: string }) => id !== added.source.id))
    expect((await service.ask(`DELETE /api/sources/${id}`)).status).toBe(200)
  for (const [question] of questions) expect(await recall(question)).toEqual([])
  await service.restart()
  expect(await listPlacesHolding(service, ['zarv', 'committee', 'moss/garden'])).toEqual([])
})
