import type { SynthesisOptions } from './needs.ts'
import { withoutSecrets } from './render.ts'

/** What one session did, in the words of its summary. */
export interface RecentWork {
  /** ISO. */
  readonly at: string
  readonly text: string
}

interface RecentWorkRequest {
  readonly agentId: string
  /** Null for sessions without a project. */
  readonly project: string | null
  /** A session that is omitted. */
  readonly except: string | undefined
}

const maxSummaries = 12
const maxFiles = 40

/** The latest summaries of the sessions of one project, the latest first. */
export async function listRecentWork(
  { db, transcripts }: Pick<SynthesisOptions, 'db' | 'transcripts'>,
  { agentId, project, except }: RecentWorkRequest,
): Promise<readonly RecentWork[]> {
  const own = { agentId, project }
  const [nodes, files] = await Promise.all([
    transcripts.listNodes(db, { ...own, depth: 0 }, maxSummaries),
    transcripts.listArtifacts(db, { ...own, limit: maxFiles }),
  ])
  const isOther = ({ sessionKey }: { readonly sessionKey: string | null }) =>
    sessionKey === null || sessionKey !== except
  // A fallback sentence only counts the turns of a session.
  const emptyIds = new Set(
    files
      .filter((file) => file.sourceKind === 'transcript' && file.memorySentenceQuality !== 'ok')
      .map(({ sourceNodeId }) => sourceNodeId),
  )
  const summaries = nodes
    .filter((node) => isOther(node) && !emptyIds.has(node.id))
    .map(({ latestAt, content }) => ({ at: latestAt, text: content }))
  const sentences = files
    .filter((file) => isOther(file) && file.memorySentenceQuality === 'ok')
    .map(({ capturedAt, memorySentence }) => ({ at: capturedAt, text: memorySentence ?? '' }))
  return [...summaries, ...sentences]
    .map(({ at, text }) => ({ at, text: withoutSecrets(text).trim() }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => b.at.localeCompare(a.at))
}
