import { basename } from 'node:path'

/**
 * The program of a thread, named by its file as seen from `from`, without its ending: the source
 * itself where sources run; a build lays all of them into one folder.
 */
export function moduleFile(from: string, module: string): URL {
  return from.endsWith('.ts')
    ? new URL(`${module}.ts`, from)
    : new URL(`./${basename(module)}.js`, from)
}
