import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStagingFolder, publishBuild } from '../../scripts/publish-build.ts'

test('the entry points at the newest build, and the former one stays for a day', async () => {
  const root = await createRoot()

  const first = await publish(root, 'one')
  const second = await publish(root, 'two')

  expect(await readFile(join(root, 'main.js'), 'utf8')).toBe(
    `import './builds/${second}/main.js'\n`,
  )
  expect(await listBuilds(root)).toEqual([first, second].sort())
})

test('a build that was replaced more than a day ago is removed', async () => {
  const root = await createRoot()
  const first = await publish(root, 'one')
  const second = await publish(root, 'two')
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  for (const id of [first, second]) await utimes(join(root, 'builds', id), twoDaysAgo, twoDaysAgo)

  const third = await publish(root, 'three')

  expect(await listBuilds(root)).toEqual([second, third].sort())
})

test('two equal builds at once leave one build and no staging folder', async () => {
  const root = await createRoot()

  const ids = await Promise.all([publish(root, 'same'), publish(root, 'same')])

  expect(new Set(ids).size).toBe(1)
  expect(await listBuilds(root)).toEqual([ids[0]])
  expect((await readdir(root)).sort()).toEqual(['builds', 'client', 'hook.cjs', 'main.js'])
})

async function createRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'reverie-build-'))
  onTestFinished(() => rm(root, { recursive: true }))
  return root
}

async function publish(root: string, content: string): Promise<string> {
  const staging = await createStagingFolder(root)
  await mkdir(join(staging.folder, 'client'))
  for (const name of ['main.js', 'hook.cjs', 'client/index.js'])
    await writeFile(join(staging.folder, name), content)
  return publishBuild(staging)
}

async function listBuilds(root: string): Promise<string[]> {
  return (await readdir(join(root, 'builds'))).sort()
}
