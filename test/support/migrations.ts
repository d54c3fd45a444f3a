import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Migration } from '../../src/kernel/db/migrations.ts'

/** Every step that stands in the sources, whether the daemon takes it or not. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const files = globSync('src/{capabilities,kernel}/*/migrations.ts').filter(
    (path) => path !== 'src/kernel/db/migrations.ts',
  )
  const modules = await Promise.all(
    files.map((file) => import(resolve(file)) as Promise<Record<string, readonly Migration[]>>),
  )
  return modules.flatMap((module) => Object.values(module).flat())
}
