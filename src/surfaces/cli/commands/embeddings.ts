import { command, option } from '../command.ts'
import type { Filling } from './embeddings-run.ts'

const run = () => import('./embeddings-run.ts')

export const embeddingsCommands = [
  command({
    usage: 'embed audit',
    triedAs: ['embeddings', 'vectors'],
    summary: 'Say how the vectors are, check by check',
    examples: ['reverie embed audit', 'reverie embed audit --json'],
    run: async (call) => (await run()).audit(call),
  }),
  command<Filling>({
    usage: 'embed backfill',
    summary: 'Make the vectors that are missing, and wait until they are there',
    options: [option('--no-wait', 'only begin')],
    examples: ['reverie embed backfill', 'reverie embed backfill --no-wait'],
    run: async (call) => (await run()).backfill(call),
  }),
]
