import { type Message, respond } from './answer-messages.ts'
import { failed } from './call-tool.ts'
import type { describeTool } from './describe-tool.ts'
import { createServer } from './server.ts'

interface Offline {
  readonly version: string
  /** As the daemon lists them. */
  readonly listed: readonly ReturnType<typeof describeTool>[]
  /** Why no tool can be called, and what to do about it. */
  readonly reason: string
}

/** Answers without a daemon: tools are listed, and every call is a result that says why it failed. */
export function answerOffline(
  { version, listed, reason }: Offline,
  message: Message,
): Promise<Response> {
  const server = createServer({ version, listed, call: async () => failed(reason) })
  return respond(server, message, { json: true })
}
