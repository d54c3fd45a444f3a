import { command, option, parseCount, parseShare } from '../command.ts'
import type { Because, Changes, Filters, Page, Writing } from './memory-run.ts'

const run = () => import('./memory-run.ts')
const reason = option('--reason <text>', 'why; it is kept in the history').makeOptionMandatory()
const tags = option('--tags <a,b>', 'tags, with commas between them')
const importance = option('--importance <n>', 'from 0 to 1', parseShare)
const type = option('--type <type>', 'fact, preference, decision, learning, issue, rule …')
const project = option('--project <name>', 'the project it belongs to')
const limit = option('--limit <n>', 'at most this many', parseCount)

export const memoryCommands = [
  command<Writing>({
    usage: 'remember <text>',
    triedAs: ['add', 'save', 'store'],
    summary: 'Keep a memory; - reads it from stdin',
    options: [
      ...[tags, project, importance, type],
      option('--pin', 'never let it fade or be forgotten by accident'),
      option('--who <name>', 'who says so'),
    ],
    examples: [
      'reverie remember "We deploy on Fridays"',
      'reverie remember --tags db,ops --pin "The ledger is append-only"',
      'git log -1 --format=%B | reverie remember -',
    ],
    run: async (call) => (await run()).remember(call),
  }),
  command<Filters>({
    usage: 'recall <query>',
    triedAs: ['search', 'find', 'query'],
    summary: 'Find what is remembered about something',
    options: [
      ...[limit, project, type, tags],
      option('--who <name>', 'only what this one said'),
      option('--since <time>', 'kept at or after this ISO time'),
      option('--until <time>', 'kept at or before this ISO time'),
      option('--as-of <time>', 'what was current at this ISO time'),
      option('--explain', 'how each row came to its score'),
    ],
    examples: ['reverie recall "when do we deploy?"', 'reverie recall tea --limit 3 --json'],
    run: async (call) => (await run()).recall(call),
  }),
  command<Page>({
    usage: 'list',
    triedAs: ['ls', 'memories'],
    summary: 'List memories, newest first',
    options: [limit, option('--offset <n>', 'skip this many', parseCount)],
    examples: ['reverie list --limit 20', 'reverie list --offset 100 --json'],
    run: async (call) => (await run()).list(call),
  }),
  command({
    usage: 'show <id>',
    triedAs: ['get', 'cat'],
    summary: 'Show one memory whole',
    examples: ['reverie show 0195f3a0-…'],
    run: async (call) => (await run()).show(call),
  }),
  command({
    usage: 'history <id>',
    summary: 'Show what happened to a memory, oldest first',
    examples: ['reverie history 0195f3a0-…'],
    run: async (call) => (await run()).history(call),
  }),
  command<Changes>({
    usage: 'update <id>',
    triedAs: ['edit'],
    summary: 'Change how a memory is kept',
    options: [
      ...[reason, tags, importance, type],
      option('--pin', 'pin it').conflicts('unpin'),
      option('--unpin', 'let it go again'),
    ],
    examples: ['reverie update 0195f3a0-… --importance 0.9 --reason "came up twice"'],
    run: async (call) => (await run()).update(call),
  }),
  command<Because>({
    usage: 'forget <id>',
    triedAs: ['delete', 'remove', 'rm'],
    summary: 'Forget a memory; it can be recovered for 30 days',
    options: [reason, option('--force', 'even if it is pinned')],
    examples: ['reverie forget 0195f3a0-… --reason "no longer true"'],
    run: async (call) => (await run()).forget(call),
  }),
  command<Because>({
    usage: 'recover <id>',
    summary: 'Bring a forgotten memory back',
    options: [reason],
    examples: ['reverie recover 0195f3a0-… --reason "it was true after all"'],
    run: async (call) => (await run()).recover(call),
  }),
]
