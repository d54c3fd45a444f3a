/** Entities and aspects that a pass may remove or fold. */
export function maxRemovals(activeEntities: number): number {
  return Math.min(10, Math.max(3, Math.floor(activeEntities * 0.05)))
}

/** Entities that the model of a pass may create. */
export const maxNewEntities = 20
