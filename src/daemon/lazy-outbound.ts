import type { Outbound, OutboundOptions } from '../kernel/outbound/outbound.ts'

/** Loads the large HTTP client on the first call, because few daemons need it. */
export function createLazyOutbound(options: OutboundOptions): Outbound {
  const cache: { outbound?: Promise<Outbound> } = {}
  const load = async () => (await import('../kernel/outbound/outbound.ts')).createOutbound(options)
  return {
    fetch: async (url, request) => {
      cache.outbound ??= load()
      return (await cache.outbound).fetch(url, request)
    },
    open: async (url, request) => {
      cache.outbound ??= load()
      return (await cache.outbound).open(url, request)
    },
    close: async () => (await cache.outbound)?.close(),
  }
}
