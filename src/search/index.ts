export { createEmbeddedEngine, type EmbeddedEngineNeeds } from './embedded/embedded-engine.ts'
export {
  createNullEngine,
  type EngineAnswer,
  type EngineCandidate,
  type EngineQuery,
  type SearchEngine,
  type VectorKind,
} from './engine.ts'
export { createLazyEngine } from './lazy-engine.ts'
export {
  addValidity,
  createSearchTables,
  indexSessionsByOwner,
  indexSpeakers,
  lightenTerms,
} from './postgres/migrations.ts'
export { createServerEngine } from './postgres/server-engine.ts'
export { createServerSearch } from './postgres/server-search.ts'
export { detectLanguage, isFunctionWord, type Language } from './text/function-words.ts'
export { readContentTerms, splitWords } from './text/query.ts'
export { fold, isSpaceless, isStopWord, readTerms, termWeight as weightOf } from './text/terms.ts'
