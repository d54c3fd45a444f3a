import type { DreamStatusReply } from '../queries/home.ts'
import { useRead } from '../queries/read.ts'
import type { ScreenEntry } from '../screens.ts'

interface ProposalCount {
  readonly items: readonly unknown[]
}

/** How many decisions wait on a screen; undefined where none does or it is unknown. */
export function useWaiting(): (name: ScreenEntry['name']) => number | undefined {
  const query = { status: 'pending', limit: 100 }
  const proposals = useRead<ProposalCount>('GET /api/ontology/proposals', { query })
  const dream = useRead<DreamStatusReply>('GET /api/dream/status')
  const counts: Partial<Record<ScreenEntry['name'], number | undefined>> = {
    knowledge: proposals.data?.items?.length,
    dreaming: dream.data?.plans,
  }
  return (name) => counts[name] || undefined
}
