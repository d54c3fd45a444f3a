import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import about from '../../package.json' with { type: 'json' }

const run = promisify(execFile)

export type Damage =
  | 'none'
  | 'wrong digest'
  | 'no digest'
  | 'wrong name'
  | 'truncated body'
  | 'redirect'

interface Published {
  readonly file: Buffer
  readonly damage: Damage
}

/** A package registry on this machine that serves real tarballs, some of them damaged. */
export async function startRegistry() {
  const versions = new Map<string, Published>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response, { versions, origin })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    requests,
    publish: (version: string, file: Buffer, damage: Damage = 'none') =>
      void versions.set(version, { file, damage }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Registry {
  readonly versions: ReadonlyMap<string, Published>
  readonly origin: string
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse, registry: Registry) {
  const [, version = ''] = /^\/files\/(.+)\.tgz$/.exec(url) ?? []
  const found = registry.versions.get(version)
  if (url === '/reverie') return sendDocument(response, registry)
  if (!found) return response.writeHead(404).end()
  if (found.damage === 'redirect')
    return response.writeHead(302, { location: `http://127.0.0.2:1/${version}.tgz` }).end()
  response.writeHead(200, { 'content-length': found.file.length })
  if (found.damage !== 'truncated body') return response.end(found.file)
  response.write(found.file.subarray(0, found.file.length / 2))
  return response.destroy()
}

function sendDocument(response: ServerResponse, { versions, origin }: Registry) {
  const entries = [...versions].map(([version, { file, damage }]) => {
    const digest = createHash('sha512').update(damage === 'wrong digest' ? 'x' : file)
    const integrity =
      damage === 'no digest' ? {} : { integrity: `sha512-${digest.digest('base64')}` }
    const name = damage === 'wrong name' ? 'other' : 'reverie'
    const dist = { tarball: `${origin}/files/${version}.tgz`, ...integrity }
    return [version, { name, version, dist }]
  })
  const latest = [...versions.keys()].at(-1)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      name: 'reverie',
      'dist-tags': { latest },
      versions: Object.fromEntries(entries),
      time: { [latest ?? '']: '2026-01-02T03:04:05.000Z' },
    }),
  )
}

/** Installs this build below a prefix, as a package manager does. Returns its launcher. */
export async function installGlobally(prefix: string): Promise<string> {
  const root = join(prefix, 'lib', 'node_modules', 'reverie')
  await mkdir(join(root, 'bin'), { recursive: true })
  for (const name of ['bin/reverie', 'bin/package.json', 'package.json'])
    await cp(name, join(root, name))
  await symlink(resolve('dist'), join(root, 'dist'))
  return join(root, 'bin', 'reverie')
}

/** Changes the text of the bundle that contains the version. */
export type Patch = (bundle: string) => string

/** A copy of this build that reports another version. Returns the module to run. */
export async function buildVersion(
  folder: string,
  version: string,
  patch: Patch = (bundle) => bundle,
): Promise<string> {
  const [, id = ''] = /builds\/(\w+)\//.exec(await readFile('dist/main.js', 'utf8')) ?? []
  const target = join(folder, version)
  await mkdir(target, { recursive: true })
  await symlink(resolve('node_modules'), join(target, 'node_modules'))
  await symlink(resolve('models'), join(target, 'models'))
  const build = join(target, 'dist', 'builds', id)
  await cp(join('dist', 'builds', id), build, { recursive: true })
  for (const name of await readdir(build)) {
    if (!name.endsWith('.js')) continue
    const text = await readFile(join(build, name), 'utf8')
    const patched = patch(text.replaceAll(`version:"${about.version}"`, `version:"${version}"`))
    if (patched !== text) await writeFile(join(build, name), patched)
  }
  return join(build, 'main.js')
}

/** A package with the launcher of this build, whose program is this module text. */
export async function packVersion(folder: string, version: string, main: string): Promise<Buffer> {
  const source = join(folder, `package-${version}`, 'package')
  await mkdir(join(source, 'bin'), { recursive: true })
  await mkdir(join(source, 'dist'))
  for (const name of ['bin/reverie', 'bin/package.json']) await cp(name, join(source, name))
  const description = { name: 'reverie', version, type: 'module', bin: { reverie: 'bin/reverie' } }
  await writeFile(join(source, 'package.json'), JSON.stringify(description))
  await writeFile(join(source, 'dist', 'main.js'), main)
  const file = join(folder, `${version}.tgz`)
  await run('tar', ['-czf', file, '-C', join(source, '..'), 'package'])
  return readFile(file)
}
