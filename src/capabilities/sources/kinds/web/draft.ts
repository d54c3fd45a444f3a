import { Refusal } from '../../../../kernel/errors/refusal.ts'
import { assertAllowedAddress } from '../../../../kernel/outbound/address.ts'
import { toCleanText } from '../../../../kernel/redaction/clean-text.ts'
import { invalid, sourcesRefusal } from '../../refusals.ts'
import { type SourceDraft, toSourceId } from '../../source.ts'

export interface WebRequest {
  readonly agentId: string
  readonly url: string
  readonly name?: string | undefined
  readonly maxPages?: number | undefined
}

/** The settings of a web source in `sources.json`. */
export interface WebSettings {
  readonly url: string
  /** Pages that a run reads; more than one follows links. */
  readonly maxPages: number
}

const maxUrlLength = 2_048
/** Names that never exist on the public internet. */
const reservedEnding = /\.(?:test|invalid)\.?$/i

/** The source of a page. Refuses `unsafe_target` and URLs with credentials. */
export function draftWeb(
  { agentId, url: text, name, maxPages = 1 }: WebRequest,
  allowedOrigins: readonly string[],
): SourceDraft {
  const url = toPageUrl(text)
  assertSafe(url, allowedOrigins)
  const settings: WebSettings = { url: url.href, maxPages }
  return {
    id: toSourceId('web', url.href),
    kind: 'web',
    name: toCleanText(name ?? `${url.host}${url.pathname === '/' ? '' : url.pathname}`).slice(
      0,
      200,
    ),
    root: url.href,
    excludeGlobs: [],
    providerSettings: { agentId, ...settings },
  }
}

function toPageUrl(text: string): URL {
  const url = text.length <= maxUrlLength ? URL.parse(text.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid(`url must be an http or https URL of at most ${maxUrlLength} characters.`)
  if (url.username || url.password || toCleanText(url.href) !== url.href)
    throw invalid('url must not hold credentials. Pages behind a login cannot be read.')
  url.hash = ''
  return url
}

function assertSafe(url: URL, allowedOrigins: readonly string[]): void {
  const isAllowed = allowedOrigins.includes(url.origin)
  if (!isAllowed && reservedEnding.test(url.hostname)) throw sourcesRefusal('unsafe_target')
  try {
    assertAllowedAddress(url, isAllowed ? 'owner' : 'none')
  } catch (error) {
    if (error instanceof Refusal) throw sourcesRefusal('unsafe_target')
    throw error
  }
}
