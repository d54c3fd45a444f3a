import type { ServerNeeds } from './server.ts'

export type Protocol = Awaited<ReturnType<typeof loadProtocol>>

/** The library of the protocol takes a tenth of a second to read: that is for whoever first speaks it. */
export async function loadProtocol(needs: ServerNeeds) {
  const [{ answerMessages }, { createServerMaker }] = await Promise.all([
    import('./answer-messages.ts'),
    import('./server.ts'),
  ])
  const makeServer = createServerMaker(needs)
  return {
    answer: (
      call: Parameters<typeof answerMessages>[1],
      accepted: Parameters<typeof answerMessages>[2],
    ) => answerMessages({ ...needs, makeServer }, call, accepted),
  }
}
