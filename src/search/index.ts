export { createEmbeddedEngine, type EmbeddedEngineNeeds } from './embedded/embedded-engine.ts'
export {
  createNullEngine,
  type EngineAnswer,
  type EngineCandidate,
  type EngineQuery,
  type SearchEngine,
} from './engine.ts'
export { createLazyEngine } from './lazy-engine.ts'
export {
  addValidity,
  createSearchTables,
  indexSessionsByOwner,
  indexSpeakers,
  lightenTerms,
} from './postgres/migrations.ts'
export { createServerSearch } from './postgres/server-search.ts'
export { isStopWord, readTerms, termWeight as weightOf } from './text/terms.ts'
