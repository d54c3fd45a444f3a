import type { Outbound, OutboundOptions } from '../kernel/outbound/outbound.ts'

/** Its library is the largest of all, and few daemons ever call out: it is loaded with the first call. */
export function createOutbound(options: OutboundOptions): Outbound {
  const kept: { outbound?: Promise<Outbound> } = {}
  const open = async () => (await import('../kernel/outbound/outbound.ts')).createOutbound(options)
  return {
    fetch: async (url, request) => {
      kept.outbound ??= open()
      return (await kept.outbound).fetch(url, request)
    },
    close: async () => (await kept.outbound)?.close(),
  }
}
