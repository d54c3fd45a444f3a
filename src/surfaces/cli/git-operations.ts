import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Row, renderDetail, toRows } from './render.ts'

const isFailure = ({ success }: Row) => success === false
/** Three attempts, each with a fetch and a push. */
const timeoutMs = 300_000

/** The commands that synchronise the workspace. */
export const gitOperations: readonly Operation[] = [
  {
    command: 'git status',
    route: 'GET /api/git/status',
    summary: 'Show the branch, the changes and the remote of the workspace',
    render: ({ conflictCopies: _, lastCommit, ...fields }) => {
      const { hash = '', message = 'none' } = Object(lastCommit)
      const commit = `${String(hash).slice(0, 8)} ${toLine(String(message))}`.trim()
      return renderDetail({ ...fields, lastCommit: commit })
    },
  },
  {
    command: 'git init',
    route: 'POST /api/git/init',
    summary: 'Make the workspace a git repository',
    examples: ['git init --bare notes.git && reverie git init ~/notes.git'],
    arguments: ['remoteUrl'],
    isFailure,
    render: renderOutcome,
  },
  {
    command: 'git sync',
    route: 'POST /api/git/sync',
    summary: 'Pull, then push; with git.autoCommit also commit the watched files',
    timeoutMs,
    isFailure,
    render: renderOutcome,
  },
  {
    command: 'git pull',
    route: 'POST /api/git/pull',
    summary: 'Bring the commits of the remote into the workspace',
    timeoutMs,
    isFailure,
    render: renderOutcome,
  },
  {
    command: 'git push',
    route: 'POST /api/git/push',
    summary: 'Send the commits of the workspace to the remote',
    timeoutMs,
    isFailure,
    render: renderOutcome,
  },
  {
    command: 'git conflicts',
    route: 'GET /api/git/status',
    summary: 'List the conflict copies in the workspace',
    render: ({ conflictCopies }) => {
      const copies = Array.isArray(conflictCopies) ? conflictCopies : []
      return copies.map((path) => toLine(String(path))).join('\n') || 'There is no conflict copy.'
    },
  },
  {
    command: 'git config',
    route: 'POST /api/git/config',
    summary: 'Show the settings of git sync, or change them until the next start',
    examples: ['reverie git config', 'reverie git config --auto-commit true --sync-interval 60'],
    options: { autoCommit: '=auto-commit', autoSync: '=auto-sync' },
    render: ({ config }) => renderDetail(Object(config)),
  },
]

function renderOutcome(reply: Row): string {
  const { code, conflicts, details, error, fix, message, skipped, success, withheld } = reply
  const listed = [
    ...toRows(conflicts).map(renderConflict),
    ...toRows(skipped).map(({ path, reason }) => `not written: ${path} (${reason})`),
    ...toRows(withheld).map(({ path, kinds }) => `not committed: ${path} (${kinds})`),
  ].map((line) => `${colors.yellow('!')} ${toLine(line, 300)}`)
  if (success) return [`${colors.green('✓')} ${toLine(String(message), 300)}`, ...listed].join('\n')
  const names = Array.isArray(details)
    ? details.map((each) => `  ${toLine(String(each), 200)}`)
    : []
  const head = `${colors.red('✗')} ${toLine(String(error), 500)} (${code})`
  return [head, ...names, `  ${toLine(String(fix ?? ''), 300)}`].join('\n')
}

function renderConflict({ copyPath, path, resolution }: Row): string {
  const copy = copyPath === undefined ? '' : `; the other version is in ${copyPath}`
  return `conflict: ${path} (${resolution})${copy}`
}
