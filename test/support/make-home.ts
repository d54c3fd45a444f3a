import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { runReverie } from './run-reverie.ts'

type Files = Readonly<Record<string, string>>

/** Creates a home folder with these files and runs the command line in it. */
export async function makeHome(files: Files = {}) {
  const home = await makeFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
  const run = (...args: readonly string[]) => runReverie(args, { env: { HOME: home } })
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json')
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return { home, run, json }
}

/** All files except those of the workspace. */
export async function readHome(home: string): Promise<Files> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter((name) => !name.startsWith('.svc/'))
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(home, name), 'utf8')])),
  )
}
