import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { Operation } from './operation.ts'
import { renderDetail } from './render.ts'

const noSkills = 'No skill is installed. Install one: reverie skill install NAME --source FOLDER'

/** The commands about skills that send one request. */
export const skillOperations: readonly Operation[] = [
  {
    command: 'skill list',
    route: 'GET /api/skills',
    summary: 'List the installed skills',
    after: 'plugin audit',
    columns: { name: 'name', version: 'version', description: 'description' },
    empty: noSkills,
  },
  {
    command: 'skill show',
    route: 'GET /api/skills/:name',
    summary: 'Show a skill with its text',
    examples: ['reverie skill show dig'],
    render: ({ content, ...fields }) => `${renderDetail(fields)}\n\n${neutralize(String(content))}`,
  },
  {
    command: 'skill search',
    route: 'GET /api/skills/search',
    summary: 'Search the registry of skills and the installed ones',
    examples: ['reverie skill search dig'],
    arguments: ['q'],
    columns: { name: 'name', installed: 'installed', description: 'description' },
    empty: 'No skill matches. Try fewer or other words.',
  },
  {
    command: 'skill analytics',
    route: 'GET /api/skills/analytics',
    summary: 'Count the uses of skills with their success and their latency',
    options: { agent_id: null },
    after: 'skill unlink',
    list: 'topSkills',
    columns: { skill: 'skillName', calls: 'count', succeeded: 'successCount', ms: 'avgLatencyMs' },
    empty: 'No use of a skill is recorded.',
  },
]
