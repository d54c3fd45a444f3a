/** Identifies the pages that the service has now; undefined when it does not answer or has none. */
export async function readPagesVersion(): Promise<string | undefined> {
  const reply = await fetch('/', { method: 'HEAD' }).catch(() => undefined)
  return reply?.ok ? (reply.headers.get('x-svc-dashboard') ?? undefined) : undefined
}
