import { readdirSync, statSync } from 'node:fs'

const inputs = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']

// The entry contains the start time of its build. Without an entry nothing is built.
const builtAt = statSync('dist/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0
const changedAt = Math.max(...inputs.map(readNewestMs))
if (changedAt > builtAt) await import('./build.ts')

/**
 * Newest modification time below a path. Folders count, because deleting a file changes only its folder.
 * Reads one after another: concurrent reads of some thousand files take four times as long.
 */
function readNewestMs(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(
    stats.mtimeMs,
    ...readdirSync(path).map((name) => readNewestMs(`${path}/${name}`)),
  )
}
