/** Stands in for the knowledge graph, which is not built yet. */
export function createAbsentParts() {
  return { graph: { search: async () => [] } }
}

/** Stand in for entities, plugins, secrets and update notices, which are not built yet. */
export function createAbsentHearers() {
  return {
    entities: {
      findNamed: async () => [],
      listAttributes: async () => [],
      findFocal: async () => ({ memoryIds: [], constraints: [] }),
    },
    plugins: { listContributions: async () => [] },
    secrets: { listNames: async () => [] },
    updateNotice: () => '',
  }
}
