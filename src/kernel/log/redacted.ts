const names = [
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'refreshToken',
  'access_token',
  'refresh_token',
  'secret',
  'clientSecret',
  'client_secret',
  'password',
  'passphrase',
  'credential',
  'credentials',
  'value',
  'apiKey',
  'api_key',
  '["x-api-key"]',
  '["set-cookie"]',
]

/** A wildcard of the log library matches one level, so each name is listed at three depths. */
export const redactedPaths: readonly string[] = names.flatMap((name) => {
  const inner = name.startsWith('[') ? name : `.${name}`
  return [name, `*${inner}`, `*.*${inner}`]
})
