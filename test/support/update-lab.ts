import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { reapLater } from './reaper.ts'
import { runReverie } from './run-reverie.ts'
import {
  buildVersion,
  installGlobally,
  type Patch,
  packVersion,
  startRegistry,
} from './update-registry.ts'

export type UpdateLab = Awaited<ReturnType<typeof makeUpdateLab>>

/** A global installation in a prefix, its daemon with one memory, and a registry. */
export async function makeUpdateLab() {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-update-'))
  const [workspace, sources] = [join(folder, 'workspace'), join(folder, 'sources')] as const
  await mkdir(workspace)
  await mkdir(sources)
  const registry = await startRegistry()
  const settings = {
    updates: { package: 'reverie', registry: registry.origin },
    outbound: { allow: [registry.origin] },
  }
  await writeFile(join(workspace, 'agent.yaml'), stringify(settings))
  const launcher = await installGlobally(join(folder, 'prefix'))
  const versions = join(dirname(dirname(launcher)), 'versions')
  const env = { HOME: folder, SVC_PATH: workspace, SVC_PORT: '0' }
  const command = [process.execPath, launcher]
  const reverie = (args: readonly string[]) => runReverie(args, { env, command })
  const json = async (args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await reverie([...args, '--json'])
    if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const readDaemon = async () =>
    JSON.parse(await readFile(join(workspace, '.daemon', 'daemon.json'), 'utf8')) as {
      readonly pid: number
      readonly url: string
    }
  const forget = reapLater(workspace)
  await json(['start'])
  await json(['remember', 'The moss needs water on Fridays.'])
  return {
    registry,
    reverie,
    json,
    versions,
    workspace,
    start: () => json(['start']),
    run: async (body: unknown): Promise<Record<string, unknown>> => {
      const { url } = await readDaemon()
      const reply = await fetch(`${url}/api/update/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as Record<string, unknown>
    },
    recall: async () => (await reverie(['recall', 'what does the moss need?'])).stdout,
    kill: async () => process.kill((await readDaemon()).pid, 'SIGKILL'),
    removeVersions: () => rm(versions, { recursive: true, force: true }),
    listVersions: () => readdir(versions).catch(() => []),
    build: (version: string, patch?: Patch) => buildVersion(sources, version, patch),
    pack: (version: string, main: string) => packVersion(sources, version, main),
    stop: async () => {
      await reverie(['stop'])
      forget()
      await registry.stop()
      await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
