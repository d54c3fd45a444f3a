/** Returns the URL of a database server without user, password and options, for display. */
export function toServerUrl(url: string): string {
  const server = new URL(url)
  return Object.assign(server, { username: '', password: '', search: '', hash: '' }).href
}
