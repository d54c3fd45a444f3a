import { z } from 'zod'
import type { SyncContext } from '../kind.ts'
import type { RemoteNeeds, RemoteReply } from '../remote.ts'
import { readRetryAfter } from '../remote.ts'
import { type ApiReply, createRemoteApi, type RemoteApi, RemoteError } from '../remote-api.ts'
import type { CodeHostSettings } from './settings.ts'

export interface CodeHostNeeds extends RemoteNeeds {
  /** `sources.codeHost.apiUrl` */
  readonly apiUrl: () => string
}

/** `/api/v3` of an own server has GraphQL next to it, at `/api/graphql`. */
export const graphqlPath = '/graphql'
const secondaryLimitMs = 60_000

/** The API with the token of the source, or without one. */
export async function openCodeHost(
  needs: CodeHostNeeds,
  context: SyncContext,
  { tokenRef }: Pick<CodeHostSettings, 'tokenRef'>,
): Promise<RemoteApi> {
  const apiUrl = needs.apiUrl()
  const token = tokenRef === undefined ? undefined : await context.readSecret(tokenRef)
  return createRemoteApi(needs, context, {
    label: 'The code host',
    apiUrl,
    elsewhere: { [graphqlPath]: apiUrl.replace(/(?:\/v3)?\/?$/, graphqlPath) },
    tokenRef,
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    waitMsOf,
  })
}

/** Limits have the status 403 or 429, of queries 200; `x-ratelimit-reset` is in seconds since 1970. */
function waitMsOf(reply: RemoteReply, now: Date): number | undefined {
  const { status, headers, body } = reply
  const isLimitedQuery = status === 200 && /"RATE_LIMITED"/.test(body.toString('utf8', 0, 2_000))
  if (status !== 403 && status !== 429 && !isLimitedQuery) return undefined
  const retryAfterMs = readRetryAfter(reply, now)
  if (retryAfterMs !== undefined) return retryAfterMs
  const resetMs = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1_000 - now.getTime()
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(resetMs))
    return Math.min(86_400_000, Math.max(1_000, resetMs))
  const isSecondary = /secondary rate limit|abuse detection/i.test(body.toString('utf8', 0, 2_000))
  return isSecondary || status !== 403 ? secondaryLimitMs : undefined
}

/** The URL of the next page, from the header `link`. */
export function readNext({ headers }: ApiReply): string | undefined {
  const links = (headers['link'] ?? '').split(',')
  const next = links.find((link) => /;\s*rel="?next"?/.test(link))
  return next && /<([^>]+)>/.exec(next)?.[1]
}

const maxPages = 200

/** All entries of a list. @throws {RemoteError} for pages that repeat */
export async function* listPages<Entry extends z.ZodType>(
  api: RemoteApi,
  first: string,
  entry: Entry,
): AsyncGenerator<z.output<Entry>[]> {
  const seen = new Set<string>()
  for (let page: string | undefined = first; page !== undefined; ) {
    if (seen.has(page) || seen.size >= maxPages)
      throw new RemoteError('The pages of a list repeat, or are more than 200.')
    seen.add(page)
    const reply = await api.call(page)
    yield reply.parse(z.array(entry).max(1_000))
    page = readNext(reply)
  }
}
