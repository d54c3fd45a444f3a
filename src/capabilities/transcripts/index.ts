import type { Caller } from '../../kernel/auth/caller.ts'
import { callMembers } from '../../kernel/capability/call-members.ts'
import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log/log.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { appendLive, type LiveTurns } from './append-live.ts'
import { archive } from './archive.ts'
import type { EvidenceSource } from './black-box.ts'
import { captureJob, enqueueCapture } from './capture.ts'
import { keepCheckpoint, listOfProject, listOfSession, type NewCheckpoint } from './checkpoints.ts'
import { citeManifests } from './cite-manifests.ts'
import { createUpgradeCleaning } from './clean-stored.ts'
import { transcriptsSettings } from './config.ts'
import { countCaptures } from './count-captures.ts'
import { createDeparture, purgeFilesJob } from './departure.ts'
import { transcriptsHealth } from './health.ts'
import { keepArtifact, type NewArtifact } from './keep-artifact.ts'
import { type Kept, keepSnapshot, type Snapshot } from './keep-snapshot.ts'
import { keepSummary } from './keep-summary.ts'
import { transcriptsMigrations } from './migrations.ts'
import type { LinkedMemories, TranscriptsOptions } from './needs.ts'
import { readOutline } from './read.ts'
import { readInput, type TranscriptInput } from './read-input.ts'
import { transcriptsRoutes } from './routes.ts'
import { type Conversation, saveConversation } from './save-conversation.ts'
import { type SearchSessions, searchSpoken } from './search.ts'
import { searchRoutes } from './search-routes.ts'
import { listArtifacts } from './store/artifacts.ts'
import { deleteCheckpointsBefore, listSessionCheckpoints } from './store/checkpoints.ts'
import { listProjects } from './store/projects.ts'
import { linkMemories, listSummaries, type SummaryFilter } from './store/summaries.ts'
import { listThreadHeads } from './store/thread-heads.ts'
import { findLatest, findOrigin, findOutline, findTranscript } from './store/transcripts.ts'
import type { Summary } from './summary.ts'
import { sweep } from './sweep.ts'
import { createTexts } from './texts.ts'
import { transcriptTools } from './tools.ts'
import type { SessionRef } from './transcript.ts'
import { WriteOut } from './write-out.ts'

export type { Checkpoint, CheckpointTrigger } from './checkpoint.ts'
export { dropInjected } from './injected-blocks.ts'
export type { ReadTranscript } from './read-input.ts'
export const transcriptsModule = {
  name: 'transcripts',
  settings: [transcriptsSettings],
  migrations: transcriptsMigrations,
} as const
export { transcriptsSettings }
export type TranscriptsCapability = ReturnType<typeof createTranscripts>

export function createTranscripts(given: TranscriptsOptions) {
  const { points, members } = createExtensions(given.log)
  const texts = createTexts(given.host)
  const base = { ...given, ...members, texts }
  const writeOut = new WriteOut(base)
  const needs = { ...base, writeOut }
  const { cleanTranscripts, upgradeTasks } = createUpgradeCleaning(needs)
  /** Writes the session files that are out of date and continues the cleaning of an upgrade. */
  const catchUp = () => writeOut.catchUp().then(cleanTranscripts)
  return {
    routes: [...transcriptsRoutes(needs), ...searchRoutes(needs)],
    tools: transcriptTools,
    jobs: [captureJob(needs), purgeFilesJob(needs)],
    ...points,
    extensionPoints: Object.values(points),
    health: transcriptsHealth(needs),
    /** Inline or by path, cleaned; undefined where nothing is to be read. Before any transaction. */
    readInput: (input: TranscriptInput) => readInput(needs, input),
    /** What stands around these words in the caller's own sessions, the best first. */
    searchSpoken: (caller: Caller, asked: SearchSessions) => searchSpoken(needs, caller, asked),
    /** Summaries without credentials, for readers outside this capability. */
    listRedactedSummaries: async (filter: SummaryFilter, limit: number) => {
      const summaries = await listSummaries(needs.db, filter, { limit, offset: 0 })
      return summaries.map((node) => ({ ...node, content: toCleanText(node.content) }))
    },
    /** Saves a whole conversation that came with a memory. */
    saveConversation: (conversation: Conversation) => saveConversation(needs, conversation),
    /** With all that was said, which may be megabytes. */
    find: (db: Db, session: SessionRef) => findTranscript(db, session),
    /** With so many characters from its end. */
    findOutline,
    findLatest,
    /** Where it took place, without what was said. */
    findOrigin,
    /** Every project under which something of a session is stored. */
    listProjects,
    keepSnapshot: (db: Db, snapshot: Snapshot) => keepSnapshot(needs, db, snapshot),
    appendLive: (db: Db, live: LiveTurns) => appendLive(needs, db, live),
    /** In the transaction of `keepSnapshot`; gives the id of the receipt. */
    enqueueCapture: (db: Db, kept: Kept) => enqueueCapture(needs, db, kept),
    archive: (db: Db, session: SessionRef) => archive(needs, db, session),
    /** A summary or a compaction as a file, written once. Outside any transaction. */
    keepArtifact: (artifact: NewArtifact) => keepArtifact(needs, artifact),
    /** The files of sessions, without what stands in them; the latest first. */
    listArtifacts,
    /** Has the manifests of sessions name a file that tells of them. Outside any transaction. */
    citeManifests: (citing: Parameters<typeof citeManifests>[1]) => citeManifests(needs, citing),
    keepSummary,
    /** The newest node of each thread, the latest thread first. */
    listThreadHeads,
    /** Of all depths, the latest first. */
    listNodes: (db: Db, filter: SummaryFilter, limit: number) =>
      listSummaries(db, filter, { limit, offset: 0 }),
    linkMemories: (db: Db, summary: Pick<Summary, 'agentId' | 'id'>, ids: readonly string[]) =>
      linkMemories(db, summary, ids),
    keepCheckpoint: (db: Db, checkpoint: NewCheckpoint) => keepCheckpoint(needs, db, checkpoint),
    /** The latest that the caller may see, of a session and of a project. */
    readCheckpoint: async (caller: Caller, sessionKey: string) =>
      (await listOfSession(needs, caller, sessionKey, 1))[0],
    readProjectCheckpoint: async (caller: Caller, project: string) =>
      (await listOfProject(needs, caller, { project, limit: 1 }))[0],
    /** As `findOutline`; undefined where it is of another project than the caller's token. */
    readOutline: (caller: Caller, sessionKey: string, ending: number) =>
      readOutline(needs, caller, { sessionKey, ending }),
    /** The latest of a session. */
    findCheckpoint: async (db: Db, session: SessionRef) =>
      (await listSessionCheckpoints(db, session, { limit: 1 }))[0],
    /** How long they are kept is settled by whoever writes them. */
    deleteCheckpointsBefore,
    /** Captures that nobody has begun, and those that are tried again. */
    countWaiting: async () => {
      const { pending, failed } = await countCaptures(needs)
      return pending + failed
    },
    catchUp,
    upgradeTasks,
    schedules: [
      { name: 'transcripts.catch-up', everyMs: 10_000, run: catchUp },
      { name: 'transcripts.sweep', everyMs: 21_600_000, run: () => sweep(needs) },
    ],
    /** Ends the thread for long texts, after the file that is being written. */
    stop: async () => {
      await writeOut.close()
      await texts.close()
    },
    agentRemoval: createDeparture(needs),
  }
}

/** What other capabilities add: events of sessions, and memories that summaries link to. */
function createExtensions(log: Log) {
  const sessionEvents = createExtensionPoint<EvidenceSource>('transcripts.sessionEvents')
  const linkedMemories = createExtensionPoint<LinkedMemories>('transcripts.linkedMemories')
  const memoriesOf = async (caller: Caller, ids: readonly string[]) =>
    (await callMembers(linkedMemories, log, (member) => member.read(caller, ids))).flat()
  return {
    points: { sessionEvents, linkedMemories },
    members: { memoriesOf, evidence: () => sessionEvents.list() },
  }
}
