import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { SyncContext } from '../kind.ts'
import { type RemoteNeeds, type RemoteReply, sendToRemote } from '../remote.ts'

/** What the server sent with a page, so that an unchanged one is not sent again. */
export interface PageState {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** Links to pages of the same origin. */
  readonly links: readonly string[]
}

type PageReply =
  | { readonly status: 'unchanged' }
  | { readonly status: 'missing'; readonly message: string }
  | { readonly status: 'failed'; readonly message: string; readonly isTransient: boolean }
  | { readonly status: 'read'; readonly reply: RemoteReply }

const accept = ['text/html', 'application/xhtml+xml']
const maxBytes = 5_242_880
const timeoutMs = 15_000

/** Reads a page, unless the server says that it has not changed. */
export async function fetchPage(
  needs: RemoteNeeds,
  context: SyncContext,
  { url, state }: { readonly url: string; readonly state: PageState | undefined },
): Promise<PageReply> {
  try {
    const headers = {
      ...(state?.etag !== undefined && { 'if-none-match': state.etag }),
      ...(state?.lastModified !== undefined && { 'if-modified-since': state.lastModified }),
    }
    const request = { url, headers, accept, maxBytes, timeoutMs }
    return toPageReply(await sendToRemote(needs, context, request), state)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return toFailure(error, url)
  }
}

function toPageReply(reply: RemoteReply, state: PageState | undefined): PageReply {
  const { status } = reply
  if (status === 304 && state) return { status: 'unchanged' }
  if (status >= 200 && status < 300) return { status: 'read', reply }
  const message = `http_status: the server replied ${status}.`
  if (status === 404 || status === 410) return { status: 'missing', message }
  return { status: 'failed', message, isTransient: status >= 500 }
}

const codes: Readonly<Record<string, string>> = {
  outbound_scheme: 'unsafe_redirect',
  outbound_redirects: 'redirect_limit',
  outbound_too_large: 'response_size',
  outbound_timeout: 'timeout',
  outbound_type: 'content_type',
}
const nameErrors = /^(?:ENOTFOUND|EAI_AGAIN|ENODATA)$/

function toFailure({ code, message, details }: Refusal, url: string): PageReply {
  const isTransient = code === 'outbound_unavailable' || code === 'outbound_timeout'
  return { status: 'failed', message: `${toCode(code, details, url)}: ${message}`, isTransient }
}

function toCode(code: string, details: Refusal['details'], url: string): string {
  if (code === 'outbound_address')
    return details['host'] === new URL(url).hostname ? 'unsafe_target' : 'unsafe_redirect'
  if (code === 'outbound_unavailable' && nameErrors.test(String(details['why']))) return 'dns'
  return codes[code] ?? 'fetch_failed'
}
