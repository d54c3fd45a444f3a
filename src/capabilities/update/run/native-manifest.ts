import { z } from 'zod'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { UpdateNeeds } from '../needs.ts'
import { maxBytes as maxProgramBytes, type RemoteFile } from './download.ts'
import { UpdateFailure, unverifiable } from './failure.ts'

const maxManifestBytes = 1_048_576
const timeoutMs = 10_000
const megabyte = 1_048_576

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'] as const
type Platform = (typeof platforms)[number]

const sha256 = z.string().regex(/^[0-9a-f]{64}$/i)
const component = (maxMegabytes: number) =>
  z.object({
    url: z.url({ protocol: /^https?$/ }),
    sha256,
    size: z
      .int()
      .positive()
      .max(maxMegabytes * megabyte),
  })

/** Stored with the files of a release. It is not signed: a digest detects damage, not a false source. */
const manifest = z.object({
  schemaVersion: z.literal(1),
  version: z.string(),
  assets: z
    .array(
      z
        .object({
          name: z.string(),
          platform: z.enum(platforms),
          sha256,
          size: z.int().positive().max(maxProgramBytes),
        })
        .refine(({ name, platform }) => name === toAssetName(platform), 'name'),
    )
    .min(1),
  // Parts that a single file contains already.
  components: z
    .object({ connectors: component(64).optional(), daemonJs: component(128).optional() })
    .optional(),
})

function toAssetName(platform: Platform): string {
  return `svc-${platform}${platform.startsWith('win32') ? '.exe' : ''}`
}

type ManifestNeeds = Pick<UpdateNeeds, 'outbound' | 'variables'>

interface Target {
  readonly version: string
  /** The page of the release, as the listing names it. */
  readonly releaseUrl: string | null
  /** Default: that of this process. */
  readonly platform?: string
}

/** The single-file program of a version for a platform. */
export async function readNativeManifest(
  needs: ManifestNeeds,
  { version, releaseUrl, platform = `${process.platform}-${process.arch}` }: Target,
): Promise<RemoteFile> {
  const base = findBase(needs, version, releaseUrl)
  const manifest = parse(await fetchText(needs, `${base}/native-manifest.json`))
  if (manifest.version !== version)
    throw unverifiable(`the manifest describes version ${manifest.version}`)
  const asset = manifest.assets.find((one) => one.platform === platform)
  if (!asset) throw unverifiable(`the release has no program for ${platform}`)
  return {
    url: `${base}/${asset.name}`,
    algorithm: 'sha256',
    digest: Buffer.from(asset.sha256, 'hex'),
    bytes: asset.size,
  }
}

/** The folder of the files of a release: `…/releases/tag/v1.2.0` has them in `…/releases/download/v1.2.0`. */
function findBase({ variables }: ManifestNeeds, version: string, releaseUrl: string | null) {
  const { SVC_DOWNLOAD_BASE: baseUrl = '' } = variables()
  const [, listed = ''] = /^(https?:.*\/releases)\/tag\/[^/]+$/.exec(releaseUrl ?? '') ?? []
  const base = baseUrl || (listed && `${listed}/download/v${version}`)
  if (base !== '') return base.replace(/\/+$/, '')
  throw new UpdateFailure(
    'no_target_version',
    'The files of the release are not known. Set updates.release_listing, or SVC_DOWNLOAD_BASE.',
  )
}

async function fetchText({ outbound }: ManifestNeeds, url: string): Promise<string> {
  try {
    const { status, body } = await outbound.fetch(url, { timeoutMs, maxBytes: maxManifestBytes })
    if (status === 404) throw unverifiable('the release has no native-manifest.json')
    if (status === 200) return Buffer.from(body).toString('utf8')
    throw failed(`status ${status}`)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'outbound_too_large')
      throw unverifiable('native-manifest.json has more than 1 MiB')
    throw error instanceof Refusal ? failed(error.message) : error
  }
}

function parse(text: string): z.output<typeof manifest> {
  try {
    return manifest.parse(JSON.parse(text))
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    const where = issue ? issue.path.join('.') || 'the document' : 'the document'
    throw unverifiable(`${where} of native-manifest.json is unverifiable`)
  }
}

function failed(why: string): UpdateFailure {
  return new UpdateFailure('download_failed', `native-manifest.json was not read: ${why}`)
}
