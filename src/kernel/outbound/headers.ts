type Headers = Readonly<Record<string, string>>

/** Headers without secrets, which another origin may receive. */
const harmlessHeaders = ['accept', 'accept-language', 'content-type', 'range', 'user-agent']
/** Set by the connection itself. */
const managedHeaders = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]

/** Names must be in lower case. */
export function pickHarmless(headers: Headers): Headers {
  return filterNames(headers, (name) => harmlessHeaders.includes(name))
}

/** Names become lower case. */
export function omitManaged(headers: Headers): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return filterNames(Object.fromEntries(entries), (name) => !managedHeaders.includes(name))
}

function filterNames(headers: Headers, accepts: (name: string) => boolean): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => accepts(name)))
}
