import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

/** Where installers put programs, relative to the home folder. A service may have a short PATH. */
const homeFolders = ['.local/bin', 'bin', '.npm-global/bin', '.bun/bin']
const systemFolders = ['/opt/homebrew/bin']
/** No separator, so that no name leaves the folder. */
const namePattern = /^(?!\.{1,2}$)[\w.+@-]{1,128}$/

/**
 * Finds an executable file on PATH or in the usual folders of installers; undefined without one.
 * Accepts the name of a program or an absolute path. The working directory is never searched.
 */
export async function findProgram(
  name: string,
  { PATH = '', HOME = '' }: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (isAbsolute(name)) return (await isProgram(name)) ? name : undefined
  if (!namePattern.test(name)) return undefined
  const folders = [
    ...PATH.split(':'),
    ...homeFolders.map((folder) => join(HOME, folder)),
    ...systemFolders,
  ]
  for (const folder of folders) {
    const file = join(folder, name)
    // An empty or relative entry of PATH names the working directory.
    if (isAbsolute(folder) && (await isProgram(file))) return file
  }
  return undefined
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
