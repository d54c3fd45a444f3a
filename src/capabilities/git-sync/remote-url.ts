export interface RemoteUrl {
  readonly kind: 'https' | 'http' | 'ssh' | 'file'
  /** Host with its port; empty for a file. */
  readonly host: string
  /** Without userinfo and query, for replies. */
  readonly displayUrl: string
}

type UrlProblem = { readonly problem: 'credentials_in_url' | 'url_refused' }

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/
/** `user@host:path`; a host never begins with a dash, which ssh would take as an option. */
const scpForm =
  /^(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)[^\p{Cc}]+$/u

/** Accepts https, ssh, files, and http on this machine. */
export function parseRemoteUrl(text: string): RemoteUrl | UrlProblem {
  const refused = { problem: 'url_refused' } as const
  if (text === '' || text.startsWith('-') || /[\p{Cc}\s]/u.test(text) || text.includes('::'))
    return text.startsWith('/') && !/\p{Cc}/u.test(text) ? toFile(text) : refused
  if (text.startsWith('/')) return toFile(text)
  if (!text.includes('://')) {
    const [, host] = scpForm.exec(text) ?? []
    return host === undefined
      ? refused
      : { kind: 'ssh', host, displayUrl: text.replace(/^[^@/:]*@/, '') }
  }
  return URL.canParse(text) ? toRemoteUrl(new URL(text)) : refused
}

export function hasProblem(parsed: RemoteUrl | UrlProblem): parsed is UrlProblem {
  return 'problem' in parsed
}

function toFile(path: string): RemoteUrl {
  return { kind: 'file', host: '', displayUrl: path }
}

function toRemoteUrl(url: URL): RemoteUrl | UrlProblem {
  const { host, hostname, password, pathname, protocol } = url
  if (password !== '') return { problem: 'credentials_in_url' }
  const publicUrl = `${protocol}//${host}${pathname}`
  if (protocol === 'file:' && host === '') return { kind: 'file', host, displayUrl: publicUrl }
  if (hostname === '' || hostname.startsWith('-')) return { problem: 'url_refused' }
  if (protocol === 'https:') return { kind: 'https', host, displayUrl: publicUrl }
  if (protocol === 'ssh:') return { kind: 'ssh', host, displayUrl: publicUrl }
  if (protocol === 'http:' && loopback.test(host))
    return { kind: 'http', host, displayUrl: publicUrl }
  return { problem: 'url_refused' }
}
