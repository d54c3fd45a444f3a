import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** A package whose build only prints. */
async function createPackage() {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-ensure-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['dist', 'src', 'src/inner', 'scripts']) await mkdir(join(folder, name))
  await copyFile('scripts/ensure-build.ts', join(folder, 'scripts/ensure-build.ts'))
  await writeFile(join(folder, 'scripts/build.ts'), "process.stdout.write('built')\n")
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'src/inner/one.ts'), '')
  const start = () =>
    execFileSync(process.execPath, ['scripts/ensure-build.ts'], { cwd: folder, encoding: 'utf8' })
  const markBuilt = async () => {
    await writeFile(join(folder, 'dist/main.js'), '')
    // The entry is newer than any source.
    const soon = new Date(Date.now() + 1_000)
    await utimes(join(folder, 'dist/main.js'), soon, soon)
    return soon.getTime()
  }
  return { folder, start, markBuilt }
}

test('a start builds where there is no build, and not where it is newer than the sources', async () => {
  const { start, markBuilt } = await createPackage()

  expect(start()).toBe('built')
  await markBuilt()
  expect(start()).toBe('')
})

test('a start builds after a source has changed or gone', async () => {
  const { folder, start, markBuilt } = await createPackage()
  const later = new Date((await markBuilt()) + 1_000)
  await utimes(join(folder, 'src/inner/one.ts'), later, later)
  expect(start()).toBe('built')

  await rm(join(folder, 'src/inner/one.ts'))
  await markBuilt()
  expect(start()).toBe('')
  await utimes(join(folder, 'src/inner'), later, new Date(later.getTime() + 1_000))
  expect(start()).toBe('built')
})
