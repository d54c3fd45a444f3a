import { readdir, stat } from 'node:fs/promises'

const inputs = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']

// The entry contains the start time of its build.
const builtAt = await readModifiedMs('dist/main.js')
const changedAt = Math.max(...(await Promise.all(inputs.map(readNewestMs))))
if (changedAt > builtAt) await import('./build.ts')

/** Newest modification time below a path. Folders count, because deleting a file changes only its folder. */
async function readNewestMs(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => [])
  const paths = [path, ...entries.map((entry) => `${path}/${entry}`)]
  return Math.max(...(await Promise.all(paths.map(readModifiedMs))))
}

async function readModifiedMs(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
}
