import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { RecallCapability } from '../recall/index.ts'
import type {
  ContinuityConfig,
  SessionClaims,
  SessionEnds,
  SessionPresence,
  SessionStarts,
  SessionWindows,
} from '../sessions/index.ts'
import type { SynthesisCapability } from '../synthesis/index.ts'
import type {
  TranscriptCapture,
  TranscriptFiles,
  TranscriptSummaries,
} from '../transcripts/index.ts'
import type { Clock } from './clock.ts'
import type { AgentConfig, HooksConfig } from './config.ts'

interface HooksSettings {
  readonly hooks: HooksConfig
  readonly agent: AgentConfig
  readonly continuity: ContinuityConfig
  /** Whether transcripts are processed. */
  readonly pipelineEnabled: boolean
}

export interface HooksOptions {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  /** The workspace with the files of the agent. */
  readonly folder: string

  readonly clock: Clock
  /** Called for each run: the configuration may change while the daemon runs. */
  readonly settings: () => HooksSettings
  readonly agents: Pick<AgentsCapability, 'register' | 'readScopeOf'>
  readonly memory: Pick<
    MemoryCapability,
    'selection' | 'remember' | 'giveFeedback' | 'assertWritable'
  >
  readonly recall: Pick<
    RecallCapability,
    'recall' | 'advanceEpoch' | 'findEpoch' | 'recordShown' | 'parseQueryWords' | 'searchLexical'
  >
  readonly sessions: SessionClaims & SessionPresence & SessionWindows & SessionStarts & SessionEnds
  readonly synthesis: Pick<
    SynthesisCapability,
    'readMemoryFile' | 'listRecentWork' | 'requestRefresh'
  >
  readonly transcripts: Pick<
    TranscriptCapture,
    'readInput' | 'saveSnapshot' | 'appendLive' | 'findHeader' | 'readHeader' | 'findLatest'
  > &
    Pick<
      TranscriptSummaries,
      'saveSummary' | 'linkMemories' | 'readCheckpoint' | 'readProjectCheckpoint' | 'findCheckpoint'
    > &
    Pick<TranscriptFiles, 'archive' | 'saveArtifact'>
}

/** The needs with the members of the extension points. */
export interface HooksNeeds extends HooksOptions {
  readonly entities: EntitiesPort
  readonly plugins: PluginsPort
  readonly secrets: SecretsPort
  readonly skillInvocations: SkillInvocationsPort
  readonly notices: NoticesPort
  readonly updateNotice: () => string
}

/** Messages and results that a session has not seen. Never throws. */
export interface NoticesPort {
  /** In display order. */
  list(reader: NoticeReader): Promise<readonly Notice[]>
}

interface NoticeReader {
  readonly caller: Caller
  readonly sessionKey: string | undefined
}

export interface Notice {
  readonly id: string
  readonly kind: 'message' | 'task_run'
  /** Whether each session shows the notice, or one session of the agent. */
  readonly scope: 'session' | 'agent'
  readonly text: string
  /** ISO. */
  readonly createdAt: string
}

export interface UpdateNotice {
  /** One line when a newer version exists; empty otherwise. */
  line(): string
}

/** The agent that reads, and the project of its token. */
export type EntityReader = Pick<ReadScope, 'agentId' | 'project'>

/** Finds the entities that prompts name. Never throws. */
export interface EntitiesPort {
  /** Active entities of the agent whose name or alias is one of these phrases, in lower case. */
  findNamed(reader: EntityReader, phrases: readonly string[]): Promise<readonly NamedEntity[]>
  /** The current attributes of an entity. */
  listAttributes(reader: EntityReader, entityId: string): Promise<readonly Attribute[]>
  /** Memories and constraints of the main entities of a project. */
  findFocal(reader: EntityReader, project: string): Promise<Focal>
}

interface Focal {
  readonly memoryIds: readonly string[]
  /** Mandatory constraints, each in a sentence. */
  readonly constraints: readonly string[]
}

/** Texts of plugins. Never throws. */
export interface PluginsPort {
  /** In display order. */
  listContributions(
    target: 'system' | 'session-start' | 'user-prompt-submit',
  ): Promise<readonly Contribution[]>
}

export interface Contribution {
  readonly pluginId: string
  readonly id: string
  readonly content: string
  readonly maxTokens: number
  /** Whether the text is part of the service. Any other text is fenced as data. */
  readonly isCore: boolean
}

export interface SecretsPort {
  /** Never a value. */
  listNames(): Promise<readonly string[]>
}

export interface SkillInvocationsPort {
  /** Returns false for a use that is already saved. */
  save(invocation: SkillUse): Promise<boolean>
}

/** One use of a skill. */
export interface SkillUse {
  readonly id: string
  readonly agentId: string
  readonly harness: string
  readonly sessionKey: string
  readonly skillName: string
  /** Identifies the use; null if the harness has no such id. */
  readonly toolUseId: string | null
  readonly latencyMs: number | null
  readonly success: 0 | 1
  readonly errorText: string | null
  /** The folder in which the skill was used. */
  readonly cwd: string | null
  /** What started the use, such as a person or a model. */
  readonly origin: string | null
  readonly createdAt: string
}

export interface NamedEntity {
  readonly id: string
  readonly name: string
  /** The phrase that matched. */
  readonly phrase: string
  readonly isAlias: boolean
  readonly mentions: number
  readonly pinned: boolean
}

export interface Attribute {
  readonly id: string
  readonly kind: string
  readonly aspect: string
  readonly group: string
  readonly claimKey: string
  readonly content: string
  readonly importance: number
  readonly confidence: number
  /** The displayed origin. */
  readonly source: string
}
