import { valid } from 'semver'
import { z } from 'zod'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import type { UpdatesConfig } from '../config.ts'
import type { UpdateNeeds } from '../needs.ts'
import type { Release } from '../state.ts'

type SourceNeeds = Pick<UpdateNeeds, 'config' | 'outbound'>

const timeoutMs = 10_000
const maxBytes = 16_777_216
const maxNotesLength = 500
const maxUrlLength = 2_048

const listing = z.object({
  tag_name: z.string(),
  html_url: z.string().optional(),
  body: z.string().nullish(),
  published_at: z.string().nullish(),
  draft: z.boolean().default(false),
  prerelease: z.boolean().default(false),
})

const versionEntry = z.object({
  name: z.string().optional(),
  dist: z.object({ tarball: z.string(), integrity: z.string().optional() }).optional(),
})

const packument = z.object({
  name: z.string().optional(),
  'dist-tags': z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), versionEntry).default({}),
  time: z.record(z.string(), z.string()).default({}),
})

export type Packument = z.output<typeof packument>

class SourceError extends Error {}

/** Without a configured source no request leaves the machine. */
export function hasSource({ package: name, registry, release_listing }: UpdatesConfig): boolean {
  return release_listing !== undefined || (name !== undefined && registry !== undefined)
}

/** The newest release of the channel. The listing has no nightly builds. */
export async function findRelease(needs: SourceNeeds): Promise<Release> {
  const { channel, release_listing } = needs.config()
  if (channel === 'stable' && release_listing !== undefined) {
    const listed = await findListed(needs, release_listing)
    if (listed) return listed
  }
  return readTagged(needs, channel === 'stable' ? 'latest' : 'next')
}

/** Undefined for a draft, a prerelease, or a listing that does not answer while a registry may. */
async function findListed(needs: SourceNeeds, url: string): Promise<Release | undefined> {
  try {
    const latest = listing.parse(await fetchJson(needs, url))
    const version = valid(latest.tag_name.replace(/^v/, ''))
    if (latest.draft || latest.prerelease || version === null) return undefined
    return {
      version,
      releaseUrl: toWebUrl(latest.html_url),
      releaseNotes: toNotes(latest.body),
      publishedAt: toTime(latest.published_at),
    }
  } catch (error) {
    if (needs.config().registry === undefined) throw error
    return undefined
  }
}

async function readTagged(needs: SourceNeeds, tag: string): Promise<Release> {
  const { 'dist-tags': tags, time } = await readPackument(needs)
  const version = valid(tags[tag] ?? null)
  if (version === null) throw new SourceError(`the registry has no version with the tag ${tag}`)
  return { version, releaseUrl: null, releaseNotes: null, publishedAt: toTime(time[version]) }
}

/** The document of the package with all versions. */
export async function readPackument(needs: SourceNeeds): Promise<Packument> {
  const { package: name, registry } = needs.config()
  if (name === undefined || registry === undefined)
    throw new SourceError('no registry is configured')
  const base = registry.endsWith('/') ? registry : `${registry}/`
  return packument.parse(await fetchJson(needs, `${base}${name.replace('/', '%2F')}`))
}

async function fetchJson({ outbound }: SourceNeeds, url: string): Promise<unknown> {
  const { status, body } = await outbound.fetch(url, {
    headers: { accept: 'application/json' },
    timeoutMs,
    maxBytes,
  })
  if (status !== 200) throw new SourceError(`the source replied with status ${status}`)
  return JSON.parse(Buffer.from(body).toString('utf8'))
}

/** One line without credentials; never the address, which may contain one. */
export function explainSource(error: unknown): string {
  if (error instanceof Refusal || error instanceof SourceError) return error.message
  if (error instanceof SyntaxError) return 'the source replied with text that is not JSON'
  return error instanceof z.ZodError
    ? 'the source replied with another document'
    : 'the check failed'
}

function toWebUrl(text: string | undefined): string | null {
  const url = text === undefined || text.length > maxUrlLength ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function toNotes(text: string | null | undefined): string | null {
  if (!text) return null
  return sliceText(toCleanText(text.slice(0, 20 * maxNotesLength)), 0, maxNotesLength)
}

function toTime(text: string | null | undefined): string | null {
  const time = new Date(text ?? '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
