import { command, option } from '../command.ts'
import type { BackfillOptions } from './embeddings-run.ts'

const run = () => import('./embeddings-run.ts')

export const embeddingsCommands = [
  command({
    usage: 'embed audit',
    aliases: ['embeddings', 'vectors'],
    summary: 'Check the vectors',
    examples: ['reverie embed audit', 'reverie embed audit --json'],
    run: async (call) => (await run()).audit(call),
  }),
  command<BackfillOptions>({
    usage: 'embed backfill',
    summary: 'Create missing vectors, and wait until they are complete',
    options: [option('--no-wait', 'return immediately')],
    examples: ['reverie embed backfill', 'reverie embed backfill --no-wait'],
    run: async (call) => (await run()).backfill(call),
  }),
]
