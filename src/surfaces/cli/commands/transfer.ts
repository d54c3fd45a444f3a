import { command, option } from '../command.ts'
import { type FilterOptions, filters } from './memory-options.ts'
import type { RestoreOptions } from './restore-run.ts'

export const transferCommands = [
  command<FilterOptions>({
    usage: 'export <file>',
    summary: 'Write memories to a file, one per line; - writes to stdout',
    options: filters,
    examples: [
      'reverie export memories.jsonl',
      'reverie export garden.jsonl --project garden --since "2 weeks ago"',
      'reverie export - | gzip > memories.jsonl.gz',
    ],
    run: async (call) => (await import('./export-run.ts')).exportMemories(call),
  }),
  command({
    usage: 'import <file>',
    summary: 'Store the memories of a file, one per line; - reads stdin',
    examples: ['reverie import memories.jsonl', 'zcat memories.jsonl.gz | reverie import -'],
    run: async (call) => (await import('./import-run.ts')).importMemories(call),
  }),
  command({
    usage: 'backup [file]',
    summary: 'Archive the whole workspace, on the machine of the daemon',
    examples: ['reverie backup', 'reverie backup /media/stick/reverie.tar.gz'],
    run: async (call) => (await import('./backup-run.ts')).backup(call),
  }),
  command<RestoreOptions>({
    usage: 'restore <file>',
    summary: 'Unpack a backup into an empty folder, and verify each file',
    options: [option('--into <folder>', 'an empty or new folder').makeOptionMandatory()],
    examples: ['reverie restore reverie.tar.gz --into ~/.svc'],
    run: async (call) => (await import('./restore-run.ts')).restore(call),
  }),
]
