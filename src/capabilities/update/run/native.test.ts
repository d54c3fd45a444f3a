import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { realHost } from '../../../kernel/host/host.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { installNative } from './install-native.ts'
import { readNativeManifest } from './native-manifest.ts'

const base = 'https://files.example/v2.0.0'
const { signal } = new AbortController()
const program = (version: string) => Buffer.from(`#!/bin/sh\necho ${version}\n`)
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
const tooLarge = () => new Refusal('unavailable', 'outbound_too_large', 'Too large.')

/** A server of files, and a program that prints 1.0.0. */
async function lab(files: Readonly<Record<string, Buffer | string>>, variables: object = {}) {
  const folder = await temporaryFolder()
  const launcher = join(folder, 'reverie')
  await writeFile(launcher, program('1.0.0'))
  await chmod(launcher, 0o755)
  const urls: string[] = []
  const read = (url: string, maxBytes = 0) => {
    urls.push(url)
    const found = files[url]
    const body = Buffer.from(found ?? '')
    if (body.length > maxBytes) throw tooLarge()
    return { url, status: found === undefined ? 404 : 200, headers: {}, body }
  }
  const fetch: Outbound['fetch'] = async (url, { maxBytes } = {}) => read(url, maxBytes)
  const open: Outbound['open'] = async (url, { maxBytes } = {}) => {
    const { body, ...reply } = read(url, maxBytes)
    return { ...reply, body: Readable.from([body.subarray(0, 5), body.subarray(5)]) }
  }
  const own = { PATH: '/usr/bin:/bin', HOME: folder, SVC_DOWNLOAD_BASE: base, ...variables }
  const needs = {
    host: realHost,
    children: noChildLedger,
    pass: () => [],
    variables: () => own,
    outbound: { fetch, open },
  }
  const install = async (bytes: Buffer, expected = bytes) => {
    const file = {
      url: `${base}/svc-linux-x64`,
      algorithm: 'sha256',
      digest: digestOf(expected),
      bytes: expected.length,
    } as const
    const steps: string[] = []
    const observed = await installNative(
      needs,
      { launcher },
      {
        version: '2.0.0',
        file,
        onProgress: (done, total) => steps.push(`${done} of ${total}`),
        onSwitch: () => steps.push('switch'),
        signal,
      },
    )
    return { observed, steps }
  }
  const list = async () => (await readdir(folder)).toSorted()
  return { needs, urls, folder, launcher, install, list }
}

const asset = { name: 'svc-linux-x64', platform: 'linux-x64', sha256: 'a'.repeat(64), size: 10 }
const manifest = { schemaVersion: 1, version: '2.0.0', assets: [asset] }
const target = { version: '2.0.0', releaseUrl: null, platform: 'linux-x64' }
const manifestUrl = `${base}/native-manifest.json`

test('the manifest of a release names the program of each platform', async () => {
  const windows = { ...asset, name: 'svc-win32-x64.exe', platform: 'win32-x64' }
  const text = JSON.stringify({ ...manifest, assets: [asset, windows] })
  const { needs, urls } = await lab({ [manifestUrl]: text })

  const digest = Buffer.from('a'.repeat(64), 'hex')
  const expected = { algorithm: 'sha256', digest, bytes: 10 }
  expect(await readNativeManifest(needs, target)).toEqual({
    url: `${base}/svc-linux-x64`,
    ...expected,
  })
  expect(await readNativeManifest(needs, { ...target, platform: 'win32-x64' })).toEqual({
    url: `${base}/svc-win32-x64.exe`,
    ...expected,
  })
  expect(urls).toEqual([manifestUrl, manifestUrl])
})

test('the files of a release stand next to its page, unless SVC_DOWNLOAD_BASE says otherwise', async () => {
  const release = 'https://code.example/moss/reverie/releases'
  const url = `${release}/download/v2.0.0/native-manifest.json`
  const { needs } = await lab({ [url]: JSON.stringify(manifest) }, { SVC_DOWNLOAD_BASE: '' })

  const found = await readNativeManifest(needs, {
    ...target,
    releaseUrl: `${release}/tag/v2.0.0`,
  })
  expect(found.url).toBe(`${release}/download/v2.0.0/svc-linux-x64`)
  await expect(readNativeManifest(needs, target)).rejects.toMatchObject({
    code: 'no_target_version',
    message: expect.stringContaining('SVC_DOWNLOAD_BASE'),
  })
})

test.each([
  ['no JSON', '{', 'the document'],
  ['another schema', { ...manifest, schemaVersion: 2 }, 'schemaVersion'],
  ['another version', { ...manifest, version: '2.0.1' }, 'version 2.0.1'],
  ['no program', { ...manifest, assets: [] }, 'assets'],
  [
    'no program for this platform',
    { ...manifest, assets: [{ ...asset, name: 'svc-linux-arm64', platform: 'linux-arm64' }] },
    'no program for linux-x64',
  ],
  ['another name', { ...manifest, assets: [{ ...asset, name: '../svc' }] }, 'assets.0'],
  [
    'an unknown platform',
    { ...manifest, assets: [{ ...asset, platform: 'plan9' }] },
    'assets.0.platform',
  ],
  ['a broken digest', { ...manifest, assets: [{ ...asset, sha256: 'abc' }] }, 'assets.0.sha256'],
  [
    'a program above 256 MiB',
    { ...manifest, assets: [{ ...asset, size: 268_435_457 }] },
    'assets.0.size',
  ],
  [
    'a component above its limit',
    {
      ...manifest,
      components: {
        connectors: { url: 'https://a.example/c', sha256: asset.sha256, size: 67_108_865 },
      },
    },
    'components.connectors.size',
  ],
  ['more than 1 MiB', { ...manifest, notes: 'x'.repeat(1_048_576) }, '1 MiB'],
])('a manifest with %s is invalid', async (_, document, reason) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const { needs } = await lab({ [manifestUrl]: text })

  await expect(readNativeManifest(needs, target)).rejects.toMatchObject({
    code: 'manifest_invalid',
    message: expect.stringContaining(reason),
  })
})

test('a missing manifest is invalid', async () => {
  const { needs } = await lab({})
  const invalid = { code: 'manifest_invalid' }
  await expect(readNativeManifest(needs, target)).rejects.toMatchObject(invalid)
})

const programUrl = `${base}/svc-linux-x64`

test('a program is replaced by one that reports the version, and stays as a backup', async () => {
  const bytes = program('2.0.0')
  const { install, launcher, list } = await lab({ [programUrl]: bytes })
  const { observed, steps } = await install(bytes)

  expect(observed).toBe('2.0.0')
  expect(steps).toEqual([`5 of ${bytes.length}`, `${bytes.length} of ${bytes.length}`, 'switch'])
  expect(await readFile(launcher)).toEqual(bytes)
  expect(await list()).toEqual(['reverie', 'reverie.previous'])
  expect(await readFile(`${launcher}.previous`)).toEqual(program('1.0.0'))
})

test.each([
  ['another digest', program('2.0.0'), program('2.0.1'), 'checksum_mismatch'],
  ['too few bytes', program('2.0.0').subarray(4), program('2.0.0'), 'checksum_mismatch'],
  ['too many bytes', program('2.0.0'), program('2.0.0').subarray(4), 'checksum_mismatch'],
  ['another version', program('3.0.0'), program('3.0.0'), 'verification_failed'],
  ['no program', Buffer.from('#!/nowhere\n'), Buffer.from('#!/nowhere\n'), 'verification_failed'],
])('a download with %s leaves the former program', async (_, bytes, expected, code) => {
  const { install, launcher, list } = await lab({ [programUrl]: bytes })

  await expect(install(bytes, expected)).rejects.toMatchObject({ code })
  expect(await readFile(launcher)).toEqual(program('1.0.0'))
  expect(await list()).toEqual(['reverie'])
})

test('a file that is missing is a failed download; a rest of a killed run is replaced', async () => {
  const bytes = program('2.0.0')
  const missing = await lab({})
  await expect(missing.install(bytes)).rejects.toMatchObject({ code: 'download_failed' })

  const { install, launcher } = await lab({ [programUrl]: bytes })
  await writeFile(`${launcher}.next`, 'half')
  expect((await install(bytes)).observed).toBe('2.0.0')
})

test('a program that cannot be replaced stays', async () => {
  const bytes = program('2.0.0')
  const { install, launcher } = await lab({ [programUrl]: bytes })
  await rm(launcher)
  await mkdir(launcher)

  await expect(install(bytes)).rejects.toThrow()
  expect(await readdir(launcher)).toEqual([])
})
