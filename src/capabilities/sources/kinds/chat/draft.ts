import { isForwarded } from '../../../../kernel/http/loopback.ts'
import type { Call } from '../../../../kernel/http/route.ts'
import { findByRoot, type ManageNeeds } from '../../manage.ts'
import { sourcesRefusal } from '../../refusals.ts'
import type { SourceDraft } from '../../source.ts'
import { findAppFolder } from './desktop-cache/cache-folder.ts'
import { type ChatRequest, draftChat, draftDesktopCache, toChatRoot } from './settings.ts'

interface DraftNeeds extends Pick<ManageNeeds, 'registry'> {
  readonly home: string
}

type ChatCall = Pick<
  Call<unknown, unknown, Omit<ChatRequest, 'agentId'>>,
  'caller' | 'principal' | 'headers' | 'body'
>

/** The source that a request describes. Only a program of this machine names its folders. */
export async function draftChatOf(
  needs: DraftNeeds,
  { caller: { agentId }, principal, headers, body }: ChatCall,
): Promise<SourceDraft> {
  const request = { ...body, agentId }
  if (request.syncMode !== 'desktop-cache') {
    const root = toChatRoot(request.guildIds ?? [])
    return draftChat(request, await findByRoot(needs, { agentId, root }))
  }
  if (!principal.isLocal || isForwarded(headers)) throw sourcesRefusal('not_local_paths')
  const { home } = needs
  const root = await findAppFolder({
    path: request.desktopCachePath,
    home,
    platform: process.platform,
  })
  return draftDesktopCache(request, root, await findByRoot(needs, { agentId, root }))
}
