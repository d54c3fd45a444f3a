import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll } from 'vitest'
import { removeFolder } from './make-folder.ts'

const sqlite = 'src/kernel/db/sqlite/worker.ts'
const require =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/**
 * Bundles a program of the sources into one file until the surrounding tests end, because programs
 * that start repeatedly load faster from one file. Its worker threads are bundled next to it.
 */
export async function bundleProgram(program: URL, threads: string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-program-'))
  afterAll(() => removeFolder(folder))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await build({
    entryPoints: [fileURLToPath(program), sqlite, ...threads],
    outdir: folder,
    entryNames: '[name]',
    external: ['better-sqlite3', 'tinypool'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: require },
  })
  return join(folder, `${basename(program.pathname, '.ts')}.js`)
}
