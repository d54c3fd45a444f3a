export { createEmbeddedEngine, type EmbeddedEngineNeeds } from './embedded/embedded-engine.ts'
export type { EngineAnswer, EngineCandidate, EngineQuery, SearchEngine } from './engine.ts'
export { createNoEngine } from './no-engine.ts'
export { createEngineOnceNeeded } from './once-needed.ts'
export {
  addValidity,
  createSearchTables,
  indexSessionsByOwner,
  indexSpeakers,
  lightenTerms,
} from './postgres/migrations.ts'
export { createServerEngine } from './postgres/server-engine.ts'
export { isStopWord } from './text/stop-words.ts'
export { readTerms, weightOf } from './text/terms.ts'
