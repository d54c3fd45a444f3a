import type { DreamingNeeds } from './needs.ts'

export type BlockedBy = 'disabled' | 'paused' | 'frozen' | 'no_provider' | null

/** Why Dreaming does not run now. */
export function findBlock(
  { config, gate, isFrozen, models }: DreamingNeeds,
  agentId: string,
): BlockedBy {
  const { enabled, engine } = config()
  if (!enabled) return 'disabled'
  if (!gate.isOpen()) return 'paused'
  if (isFrozen()) return 'frozen'
  const isReady = engine !== 'model' || models.isReady('memory_extraction', agentId)
  return isReady ? null : 'no_provider'
}

/** `rules` where no model is ready. */
export function findEffectiveEngine(
  { config, models }: Pick<DreamingNeeds, 'config' | 'models'>,
  agentId: string,
  engine = config().engine,
): 'rules' | 'model' {
  if (engine === 'rules') return 'rules'
  return models.isReady('memory_extraction', agentId) ? 'model' : 'rules'
}
