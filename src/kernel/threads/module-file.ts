import { basename } from 'node:path'

/**
 * Returns the file of a thread's module. It is relative to `from` and without extension. Sources
 * run in place; a build puts all modules into one folder.
 */
export function moduleFile(from: string, module: string): URL {
  return from.endsWith('.ts')
    ? new URL(`${module}.ts`, from)
    : new URL(`./${basename(module)}.js`, from)
}
