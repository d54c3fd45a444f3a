import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import about from '../../../package.json' with { type: 'json' }

const version = about.devDependencies['@electric-sql/pglite']
const image = resolve(`node_modules/.cache/pglite-${version}.tar`)

/**
 * Creates an empty PostgreSQL in this process. Its first data directory takes seconds, so later
 * ones are copies of that image.
 */
export async function createPglite(options: PGliteOptions): Promise<PGlite> {
  const content = await readFile(image).catch(() => undefined)
  if (content) return PGlite.create({ ...options, loadDataDir: new Blob([content]) })
  const created = await PGlite.create(options)
  await saveImage(await created.dumpDataDir('none'))
  return created
}

/** Another process may write it at the same time. */
async function saveImage(content: Blob): Promise<void> {
  const next = `${image}.${process.pid}`
  await mkdir(dirname(image), { recursive: true })
  await writeFile(next, content.stream())
  await rename(next, image)
}
