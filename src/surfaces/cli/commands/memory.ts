import { command, option, parseCount } from '../command.ts'
import type { Reason } from '../reason.ts'
import { parseStart } from '../times.ts'
import type { ForgetOptions } from './forget-run.ts'
import type { PageOptions } from './list-run.ts'
import * as options from './memory-options.ts'
import type { UpdateOptions } from './memory-run.ts'
import type { RecallOptions } from './recall-run.ts'
import type { RememberOptions, ReplaceOptions } from './remember-run.ts'

const run = () => import('./memory-run.ts')
const saving = () => import('./remember-run.ts')
const { limit, reason, tags, importance, type, pin, project, who } = options

export const memoryCommands = [
  command<RememberOptions>({
    usage: 'remember <text>',
    aliases: ['add', 'save', 'store'],
    summary: 'Store a memory; - reads stdin',
    options: [
      ...[tags, project, importance, type, pin, who],
      option('--supersedes <id>', 'the memory to supersede'),
    ],
    examples: [
      'reverie remember "We deploy on Fridays"',
      'reverie remember --tags db,ops --pin "The ledger is append-only"',
      'git log -1 --format=%B | reverie remember -',
    ],
    run: async (call) => (await saving()).remember(call),
  }),
  command<ReplaceOptions>({
    usage: 'replace <id> <text>',
    aliases: ['supersede', 'rewrite'],
    summary: 'Supersede a memory with a new text; - reads stdin',
    options: [tags, importance, type, pin, option('--reason <text>', 'reason for the history')],
    examples: [
      'reverie replace 0195f3a0 "We deploy on Mondays"',
      'reverie replace 0195f3a0 "We deploy daily" --tags ops --reason "decided in May"',
    ],
    run: async (call) => (await saving()).replace(call),
  }),
  command<RecallOptions>({
    usage: 'recall <query>',
    aliases: ['search', 'find', 'query'],
    summary: 'Search memories',
    options: [
      ...[limit, options.ofProject, options.ofType, options.withTags],
      option('--who <name>', 'filter by author'),
      ...[options.since, options.until],
      option('--as-of <time>', 'search the memories that were valid at this time', parseStart),
      option('--explain', 'show how each score was computed'),
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
    aliases: ['ls', 'memories'],
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
    aliases: ['get', 'cat'],
    summary: 'Show one memory in full',
    examples: ['reverie show 0195f3a0'],
    run: async (call) => (await run()).show(call),
  }),
  command({
    usage: 'history <id>',
    summary: 'Show the history of a memory, oldest first',
    examples: ['reverie history 0195f3a0'],
    run: async (call) => (await run()).history(call),
  }),
  command<UpdateOptions>({
    usage: 'update <id>',
    aliases: ['edit'],
    summary: 'Change tags, importance, type or pin; use replace for the text',
    options: [
      ...[reason, tags, importance, type],
      option('--pin', 'pin the memory').conflicts('unpin'),
      option('--unpin', 'unpin the memory'),
    ],
    examples: ['reverie update 0195f3a0 --importance 0.9 --reason "came up twice"'],
    run: async (call) => (await run()).update(call),
  }),
  command<ForgetOptions>({
    usage: 'forget [ids...]',
    aliases: ['delete', 'remove', 'rm'],
    summary: 'Delete memories; they can be recovered for 30 days',
    options: [
      reason,
      option('--force', 'delete pinned memories too'),
      option('--query <query>', 'delete the memories that match, after a preview'),
      option('--limit <n>', 'with --query: maximum number of memories, 20 by default', parseCount),
      option('--yes', 'with --query: skip the confirmation'),
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
    summary: 'Restore a deleted memory',
    options: [reason],
    examples: ['reverie recover 0195f3a0 --reason "it was true after all"'],
    run: async (call) => (await run()).recover(call),
  }),
]
