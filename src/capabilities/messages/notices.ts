import type { Caller } from '../../kernel/auth/caller.ts'
import { readerOf } from './inbox.ts'
import type { MessagesNeeds } from './needs.ts'
import { listMessages } from './store.ts'

const maxMessages = 5

/** The unread messages of an agent and its session, for its hooks. */
export function messageNotices(needs: Pick<MessagesNeeds, 'agents' | 'db' | 'host'>) {
  return {
    list: async ({ caller, sessionKey }: NoticeReader) => {
      const filter = {
        ...(await readerOf(needs, caller)),
        now: needs.host.now().toISOString(),
        sessionKey,
        since: undefined,
        includeSent: false,
        includeBroadcast: true,
        unreadOnly: true,
      }
      const page = { limit: maxMessages, offset: 0, order: 'desc' } as const
      const unread = await listMessages(needs.db, filter, page)
      return unread.map(({ content, createdAt, fromAgentId, id, type }) => ({
        id: `message:${id}`,
        kind: 'message' as const,
        scope: 'session' as const,
        text: `${type} from the agent ${fromAgentId}: ${content}`,
        createdAt,
      }))
    },
  }
}

interface NoticeReader {
  readonly caller: Caller
  readonly sessionKey: string | undefined
}
