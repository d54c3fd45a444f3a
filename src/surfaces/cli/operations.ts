import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { accessOperations } from './access-operations.ts'
import { connectorOperations } from './connector-operations.ts'
import { documentOperations } from './document-operations.ts'
import { dreamOperations } from './dream-operations.ts'
import { extractOperations } from './extract-operations.ts'
import { gitOperations } from './git-operations.ts'
import { inferenceOperations } from './inference-operations.ts'
import { knowledgeOperations } from './knowledge-operations.ts'
import { messageOperations } from './message-operations.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { pluginOperations } from './plugin-operations.ts'
import { type Columns, type Row, renderDetail, toRows } from './render.ts'
import { repairOperations } from './repair-operations.ts'
import { secretOperations } from './secret-operations.ts'
import { serviceOperations } from './service-operations.ts'
import { skillOperations } from './skill-operations.ts'
import { sourceOperations } from './source-operations.ts'
import { taskOperations } from './task-operations.ts'
import { toLocalDate } from './times.ts'

const agentColumns: Columns = {
  name: 'name',
  policy: 'read_policy',
  group: 'policy_group',
  created: 'created_at',
}
export const sessionColumns: Columns = {
  key: 'key',
  harness: 'harness',
  project: ({ project }) => toLine(String(project ?? ''), 40),
  since: 'claimedAt',
  hooks: ({ bypassed }) => (bypassed ? 'off' : 'on'),
}
const agentOptions = { read_policy: 'policy', policy_group: 'group' }
const sessionLists = 'reverie sessions list, or reverie sessions search'
const ofMemory = { noun: 'memory', listedBy: 'reverie list' }

/** The commands that send one request. A new operation of the API costs one entry here. */
export const operations: readonly Operation[] = [
  {
    command: 'show',
    route: 'GET /api/memory/:id',
    aliases: ['get', 'cat'],
    summary: 'Show one memory in full',
    examples: ['reverie show 0195f3a0'],
    options: { include_deleted: null },
    ...ofMemory,
    after: 'list',
    render: ({ content, ...fields }) => `${neutralize(String(content))}\n\n${renderDetail(fields)}`,
  },
  {
    command: 'history',
    route: 'GET /api/memory/:id/history',
    summary: 'Show the history of a memory, oldest first',
    examples: ['reverie history 0195f3a0'],
    options: { limit: null },
    ...ofMemory,
    lookup: { include_deleted: true },
    after: 'show',
    columns: { time: 'createdAt', event: 'event', by: 'changedBy', reason: 'reason' },
  },
  {
    command: 'recover',
    route: 'POST /api/memory/:id/recover',
    summary: 'Restore a deleted memory',
    examples: ['reverie recover 0195f3a0 --reason "it was true after all"'],
    options: { if_version: null },
    requiresReason: true,
    ...ofMemory,
    lookup: { include_deleted: true },
    after: 'forget',
    render: ({ id, status }) =>
      `${colors.green('✓')} ${status === 'recovered' ? 'Recovered' : 'No changes'}\n  ${colors.dim(String(id))}`,
  },
  {
    command: 'sessions list',
    route: 'GET /api/sessions',
    aliases: ['transcripts'],
    summary: 'List the open sessions of the agent',
    examples: ['reverie sessions list', 'reverie sessions list --agent ada --json'],
    after: 'embed backfill',
    columns: sessionColumns,
    empty: 'No session is open.',
  },
  {
    command: 'sessions search',
    route: 'POST /api/sessions/search',
    summary: "Search the transcripts of the agent's sessions",
    examples: ['reverie sessions search "release checklist" --limit 5'],
    arguments: ['query'],
    options: { sessionKey: null, currentSessionKey: null, excludedSessions: null },
    render: ({ hits }) =>
      toRows(hits).map(renderSessionHit).join('\n') ||
      'No transcript matches. Try fewer or other words.',
  },
  {
    command: 'sessions bypass',
    route: 'POST /api/sessions/:key/bypass',
    summary: 'Switch the hooks of a session off',
    examples: ['reverie sessions bypass 6b1f0c9e', 'reverie sessions bypass 6b1f0c9e --off'],
    options: { enabled: '!off' },
    descriptions: { enabled: 'end the bypass: switch the hooks on' },
    listedBy: sessionLists,
    render: ({ bypassed }, [key = '']) =>
      `${colors.green('✓')} The hooks of ${toLine(key)} are ${bypassed ? 'off' : 'on'}.`,
  },
  {
    command: 'agents list',
    route: 'GET /api/agents',
    after: 'sessions bypass',
    columns: agentColumns,
  },
  {
    command: 'agents show',
    route: 'GET /api/agents/:name',
    examples: ['reverie agents show ada'],
    columns: agentColumns,
  },
  {
    command: 'agents create',
    route: 'POST /api/agents',
    examples: [
      'reverie agents create ada',
      'reverie agents create bob --policy group --group team',
    ],
    arguments: ['name'],
    options: agentOptions,
    columns: agentColumns,
  },
  {
    command: 'agents update',
    route: 'PATCH /api/agents/:name',
    examples: ['reverie agents update ada --policy shared'],
    options: agentOptions,
    columns: agentColumns,
  },
  {
    command: 'agents delete',
    route: 'DELETE /api/agents/:name',
    summary: 'Remove an agent; its memories are archived',
    examples: ['reverie agents delete ada', 'reverie agents delete ada --purge'],
    confirm: false,
    render: ({ purged }, [name]) =>
      `Removed ${name}; its memories are ${purged ? 'deleted permanently' : 'archived'}.`,
  },
  ...messageOperations,
  ...accessOperations,
  ...secretOperations,
  ...pluginOperations,
  ...skillOperations,
  ...sourceOperations,
  ...documentOperations,
  ...connectorOperations,
  ...taskOperations,
  ...inferenceOperations,
  ...knowledgeOperations,
  ...extractOperations,
  ...dreamOperations,
  ...serviceOperations,
  ...repairOperations,
  ...gitOperations,
]

function renderSessionHit({ sessionKey, updatedAt, project, excerpt }: Row): string {
  const title = [sessionKey, toLocalDate(String(updatedAt)), project].filter(Boolean).join(' · ')
  return `${colors.cyan(toLine(title))}\n  ${toLine(String(excerpt), 300)}`
}
