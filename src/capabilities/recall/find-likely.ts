import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { EngineCandidate } from '../../search/index.ts'
import type { RecallNeeds } from './needs.ts'

/** By words alone, counted nowhere and told to nobody; nothing where the index does not answer. */
export async function findLikely(
  { engine, host, log }: Pick<RecallNeeds, 'engine' | 'host' | 'log'>,
  readScope: ReadScope,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<readonly Pick<EngineCandidate, 'id' | 'score'>[]> {
  if (engine.health().state !== 'ready') return []
  const now = host.now().toISOString()
  try {
    const filters = { scope: null }
    return (await engine.search({ text, readScope, filters, limit, now })).candidates
  } catch (error) {
    // Whoever asks can do without.
    log.warn({ err: error }, 'the search index did not answer')
    return []
  }
}
