import type { Caller } from '../../kernel/auth/caller.ts'
import type { Schedule } from '../../kernel/capability/capability.ts'
import { callMembers, createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log/log.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { createAgentRemoval, purgeFilesJob } from './agent-removal.ts'
import { appendLive, archive, type LiveTurns } from './append-live.ts'

import { captureJob, enqueueCapture } from './capture.ts'
import {
  type NewCheckpoint,
  readProjectCheckpoints,
  readSessionCheckpoints,
  saveCheckpoint,
} from './checkpoints.ts'
import { createUpgradeCleaning } from './clean-stored.ts'
import { condenseJob } from './condense-by-model.ts'
import { transcriptsSettings } from './config.ts'
import { countCaptures, transcriptsReports } from './diagnose.ts'
import { createImportedSessions } from './imported-sessions.ts'
import { citeManifests } from './manifest.ts'

import { transcriptsMigrations } from './migrations.ts'
import type { LinkedMemories, SessionEventSource, TranscriptsOptions } from './needs.ts'
import { readHeader, sweep } from './read.ts'
import { readInlineTexts, readInput, type TranscriptInput } from './read-input.ts'
import { transcriptsRoutes, transcriptTools } from './routes.ts'
import { type NewArtifact, saveArtifact } from './save-artifact.ts'
import {
  type Conversation,
  type SaveResult,
  type Snapshot,
  saveConversation,
  saveSnapshot,
} from './save-snapshot.ts'
import { type SessionSearchRequest, searchTranscripts } from './search.ts'
import { findArtifact, listArtifacts } from './store/artifacts.ts'
import { deleteCheckpointsBefore, listCheckpoints } from './store/checkpoints.ts'
import { listCompleted, sumCompleted } from './store/completed.ts'
import { listStandaloneSummaries, sumStandaloneSummaries } from './store/standalone-summaries.ts'
import {
  findSummary,
  linkMemories,
  listSummaries,
  listThreadHeads,
  type SummaryFilter,
} from './store/summaries.ts'
import {
  findHeader,
  findLatest,
  findOrigin,
  findTranscript,
  listProjects,
} from './store/transcripts.ts'
import { saveSummary } from './summaries.ts'

import { createTexts } from './texts.ts'
import type { SessionRef } from './transcript.ts'
import { TranscriptFileWriter } from './transcript-file-writer.ts'

export type { CapturedSession } from './imported-sessions.ts'
export { dropInjected } from './injected-blocks.ts'
export type { ReadTranscript } from './read-input.ts'
export type { Checkpoint, CheckpointTrigger } from './store/rows.ts'
export const transcriptsModule = {
  name: 'transcripts',
  settings: [transcriptsSettings],
  migrations: transcriptsMigrations,
} as const
export { transcriptsSettings }

type TranscriptsCapability = ReturnType<typeof createTranscripts>

/** Captures conversations and reads stored ones. */
export type TranscriptCapture = Pick<
  TranscriptsCapability,
  | 'readInput'
  | 'saveSnapshot'
  | 'saveConversation'
  | 'appendLive'
  | 'enqueueCapture'
  | 'countWaiting'
  | 'find'
  | 'findHeader'
  | 'readHeader'
  | 'findOrigin'
  | 'findLatest'
  | 'listProjects'
  | 'searchTranscripts'
>

/** Summaries of sessions: nodes, thread heads and checkpoints. */
export type TranscriptSummaries = Pick<
  TranscriptsCapability,
  | 'saveSummary'
  | 'linkMemories'
  | 'listNodes'
  | 'listRedactedSummaries'
  | 'listThreadHeads'
  | 'saveCheckpoint'
  | 'readCheckpoint'
  | 'readProjectCheckpoint'
  | 'findCheckpoint'
  | 'deleteCheckpointsBefore'
>

/** Session files: transcripts after a compaction, artifacts and manifests. */
export type TranscriptFiles = Pick<
  TranscriptsCapability,
  'archive' | 'saveArtifact' | 'listArtifacts' | 'citeManifests' | 'catchUp'
>

/** Conversations of other daemons and programs, as sessions. */
export type TranscriptImports = Pick<TranscriptsCapability, 'readInlineTexts' | 'imports'>

/** Texts that may support a claim. */
export type TranscriptEvidence = Pick<TranscriptsCapability, 'find' | 'evidence'>

/** Transcripts of ended sessions, for a reader that follows their changes. */
export type TranscriptChanges = Pick<TranscriptsCapability, 'completed' | 'standaloneSummaries'>

export function createTranscripts(options: TranscriptsOptions) {
  const { points, members } = createExtensions(options.log)
  const texts = createTexts(options.host)
  const base = { ...options, ...members, texts }
  const fileWriter = new TranscriptFileWriter(base)
  const needs = { ...base, fileWriter }
  const { cleanTranscripts, upgradeTasks } = createUpgradeCleaning(needs)
  /** Writes the session files that are out of date and continues the cleaning of an upgrade. */
  const catchUp = () => fileWriter.catchUp().then(cleanTranscripts)
  return {
    routes: transcriptsRoutes(needs),
    tools: transcriptTools,
    jobs: [captureJob(needs), condenseJob(needs), purgeFilesJob(needs)],
    ...points,
    extensionPoints: Object.values(points),
    ...transcriptsReports(needs, catchUp),
    /** Reads and cleans an inline text or a staged file. Call it outside transactions. */
    readInput: (input: TranscriptInput) => readInput(needs, input),
    /** As `readInput`, for many inline texts. */
    readInlineTexts: (harness: string, transcripts: readonly string[]) =>
      readInlineTexts(needs, harness, transcripts),
    /** Passages around the query words in the caller's own sessions, the best first. */
    searchTranscripts: (caller: Caller, request: SessionSearchRequest) =>
      searchTranscripts(needs, caller, request),
    /** Summaries without credentials, for readers outside this capability. */
    listRedactedSummaries: async (filter: SummaryFilter, limit: number) => {
      const summaries = await listSummaries(needs.db, filter, { limit, offset: 0 })
      return summaries.map((node) => ({ ...node, content: toCleanText(node.content) }))
    },
    /** Saves a whole conversation that came with a memory. */
    saveConversation: (conversation: Conversation) => saveConversation(needs, conversation),
    /** Includes the content, which may be megabytes. */
    find: (db: Db, session: SessionRef) => findTranscript(db, session),
    findHeader,
    findLatest,
    findOrigin,
    listProjects,
    saveSnapshot: (db: Db, snapshot: Snapshot) => saveSnapshot(needs, db, snapshot),
    appendLive: (db: Db, live: LiveTurns) => appendLive(needs, db, live),
    /** Call it in the transaction of `saveSnapshot`. Returns the receipt id. */
    enqueueCapture: (db: Db, saved: SaveResult) => enqueueCapture(needs, db, saved),
    archive: (db: Db, session: SessionRef) => archive(needs, db, session),
    /** Writes a summary or compaction once. Call it outside transactions. */
    saveArtifact: (artifact: NewArtifact) => saveArtifact(needs, artifact),
    listArtifacts,
    ...sessionTexts,
    /** Call it outside transactions. */
    citeManifests: (citing: Parameters<typeof citeManifests>[1]) => citeManifests(needs, citing),
    saveSummary,
    listThreadHeads,
    /** Summaries of all depths, the latest first. */
    listNodes: (db: Db, filter: SummaryFilter, limit: number) =>
      listSummaries(db, filter, { limit, offset: 0 }),
    linkMemories,
    saveCheckpoint: (db: Db, checkpoint: NewCheckpoint) => saveCheckpoint(needs, db, checkpoint),
    /** The latest checkpoint that the caller may read. */
    readCheckpoint: async (caller: Caller, sessionKey: string) =>
      (await readSessionCheckpoints(needs, caller, sessionKey, 1))[0],
    readProjectCheckpoint: async (caller: Caller, project: string) =>
      (await readProjectCheckpoints(needs, caller, { project, limit: 1 }))[0],
    /** Like `findHeader`, limited to the project of the caller's token. */
    readHeader: (caller: Caller, sessionKey: string, tail: number) =>
      readHeader(needs, caller, { sessionKey, tail }),
    /** The latest checkpoint of a session. */
    findCheckpoint: async (db: Db, { agentId, sessionKey }: SessionRef) =>
      (await listCheckpoints(db, { agentId, sessionKey, limit: 1 }))[0],
    /** The sessions capability configures the retention. */
    deleteCheckpointsBefore,
    /** Counts pending and retried captures. */
    countWaiting: () => countWaiting(needs),
    catchUp,
    upgradeTasks,
    schedules: createSchedules(catchUp, () => sweep(needs)),
    /** Finishes the current file write, then stops the text thread. */
    stop: async () => {
      await fileWriter.close()
      await texts.close()
    },
    agentRemoval: createAgentRemoval(needs),
  }
}

async function countWaiting(needs: Parameters<typeof countCaptures>[0]): Promise<number> {
  const { pending, failed } = await countCaptures(needs)
  return pending + failed
}

function createSchedules(catchUp: Schedule['run'], run: Schedule['run']): readonly Schedule[] {
  return [
    { name: 'transcripts.catch-up', everyMs: 10_000, run: catchUp },
    { name: 'transcripts.sweep', everyMs: 21_600_000, run },
  ]
}

const sessionTexts = {
  evidence: { findArtifact, findSummary },
  completed: { list: listCompleted, sum: sumCompleted },
  /** Summaries of sessions without a transcript. */
  standaloneSummaries: { list: listStandaloneSummaries, sum: sumStandaloneSummaries },
  imports: createImportedSessions(),
}

/** What other capabilities add: events of sessions, and memories that summaries link to. */
function createExtensions(log: Log) {
  const sessionEvents = createExtensionPoint<SessionEventSource>('transcripts.sessionEvents')
  const linkedMemories = createExtensionPoint<LinkedMemories>('transcripts.linkedMemories')
  const readMemories = async (caller: Caller, ids: readonly string[]) =>
    (await callMembers(linkedMemories, log, (member) => member.read(caller, ids))).flat()
  return {
    points: { sessionEvents, linkedMemories },
    members: { readMemories, eventSources: () => sessionEvents.list() },
  }
}
