import { command, option, parseCount } from '../command.ts'
import type { Reason } from '../reason.ts'
import { parseStart } from '../times.ts'
import type { Forgetting } from './forget-run.ts'
import type { PageOptions } from './list-run.ts'
import * as options from './memory-options.ts'
import type { Changes } from './memory-run.ts'
import type { RecallOptions } from './recall-run.ts'
import type { Replacement, Saving } from './remember-run.ts'

const run = () => import('./memory-run.ts')
const saving = () => import('./remember-run.ts')
const { limit, reason, tags, importance, type, pin, project, who } = options

export const memoryCommands = [
  command<Saving>({
    usage: 'remember <text>',
    triedAs: ['add', 'save', 'store'],
    summary: 'Keep a memory; - reads it from stdin',
    options: [
      ...[tags, project, importance, type, pin, who],
      option('--supersedes <id>', 'the memory whose place it takes'),
    ],
    examples: [
      'reverie remember "We deploy on Fridays"',
      'reverie remember --tags db,ops --pin "The ledger is append-only"',
      'git log -1 --format=%B | reverie remember -',
    ],
    run: async (call) => (await saving()).remember(call),
  }),
  command<Replacement>({
    usage: 'replace <id> <text>',
    triedAs: ['supersede', 'rewrite'],
    summary: 'Put a new text in the place of a memory; - reads it from stdin',
    options: [tags, importance, type, pin, option('--reason <text>', 'why, for the history')],
    examples: [
      'reverie replace 0195f3a0 "We deploy on Mondays"',
      'reverie replace 0195f3a0 "We deploy daily" --tags ops --reason "decided in May"',
    ],
    run: async (call) => (await saving()).replace(call),
  }),
  command<RecallOptions>({
    usage: 'recall <query>',
    triedAs: ['search', 'find', 'query'],
    summary: 'Find what is remembered about something',
    options: [
      ...[limit, options.ofProject, options.ofType, options.withTags],
      option('--who <name>', 'only what this one said'),
      ...[options.since, options.until],
      option('--as-of <time>', 'what was current at this time', parseStart),
      option('--explain', 'how each row came to its score'),
    ],
    examples: [
      'reverie recall "when do we deploy?"',
      'reverie recall tea --limit 3 --json',
      'reverie recall deploy --since "2 weeks ago" --until yesterday',
    ],
    run: async (call) => (await import('./recall-run.ts')).recall(call),
  }),
  command<PageOptions>({
    usage: 'list',
    triedAs: ['ls', 'memories'],
    summary: 'List memories, newest first',
    options: [limit, options.offset, ...options.filters],
    examples: [
      'reverie list --limit 20',
      'reverie list --project garden --tags db,ops --since 7d',
      'reverie list --offset 100 --json',
    ],
    run: async (call) => (await import('./list-run.ts')).list(call),
  }),
  command({
    usage: 'show <id>',
    triedAs: ['get', 'cat'],
    summary: 'Show one memory whole',
    examples: ['reverie show 0195f3a0'],
    run: async (call) => (await run()).show(call),
  }),
  command({
    usage: 'history <id>',
    summary: 'Show what happened to a memory, oldest first',
    examples: ['reverie history 0195f3a0'],
    run: async (call) => (await run()).history(call),
  }),
  command<Changes>({
    usage: 'update <id>',
    triedAs: ['edit'],
    summary: 'Change how a memory is kept; its text changes with replace',
    options: [
      ...[reason, tags, importance, type],
      option('--pin', 'pin it').conflicts('unpin'),
      option('--unpin', 'let it go again'),
    ],
    examples: ['reverie update 0195f3a0 --importance 0.9 --reason "came up twice"'],
    run: async (call) => (await run()).update(call),
  }),
  command<Forgetting>({
    usage: 'forget [ids...]',
    triedAs: ['delete', 'remove', 'rm'],
    summary: 'Forget memories; they can be recovered for 30 days',
    options: [
      reason,
      option('--force', 'even pinned ones'),
      option('--query <query>', 'what this finds, after a preview'),
      option('--limit <n>', 'with --query: at most this many, 20 by default', parseCount),
      option('--yes', 'with --query: do not ask'),
    ],
    examples: [
      'reverie forget 0195f3a0 --reason "no longer true"',
      'reverie forget 0195f3a0 0195f4b1',
      'reverie forget --query "old office" --reason "we moved" --yes',
    ],
    run: async (call) => (await import('./forget-run.ts')).forget(call),
  }),
  command<Reason>({
    usage: 'recover <id>',
    summary: 'Bring a forgotten memory back',
    options: [reason],
    examples: ['reverie recover 0195f3a0 --reason "it was true after all"'],
    run: async (call) => (await run()).recover(call),
  }),
]
