import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from './environment.ts'
import { HookSkipped } from './hook-skipped.ts'

/** The URL from the environment, then the one in `daemon.json`, then the default port. */
export async function findAddress({ url, workspace, port }: Environment): Promise<string> {
  const address = url ?? (await readDaemonUrl(workspace)) ?? `http://127.0.0.1:${port}`
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address
  throw new HookSkipped('usage', `${address} is not an HTTP address`)
}

async function readDaemonUrl(workspace: string): Promise<string | undefined> {
  try {
    const file = join(workspace, '.daemon', 'daemon.json')
    const { url } = Object(JSON.parse(await readFile(file, 'utf8')))
    return typeof url === 'string' ? url : undefined
  } catch {
    // An absent or unreadable file names no address.
    return undefined
  }
}
