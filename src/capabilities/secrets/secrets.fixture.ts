import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { realHost } from '../../kernel/host/host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createLocalStore } from './local/local-store.ts'

/** A store in a temporary folder, with the paths of its files. */
export async function createTestStore() {
  const folder = join(await temporaryFolder(), '.secrets')
  const [keyFile, file] = [join(folder, 'key'), join(folder, 'secrets.enc')]
  const locks = createFileLocks(realHost)
  const create = () => createLocalStore({ host: realHost, locks, folder, keyFile: () => keyFile })
  return { folder, file, keyFile, create, store: create(), read: () => readFile(file, 'utf8') }
}
