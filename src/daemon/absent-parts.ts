/** What recall can do without: nobody links knowledge yet. */
export function createAbsentParts() {
  return { graph: { search: async () => [] } }
}

/** What hooks can do without: nobody knows entities, plugins or secrets yet, nor newer versions. */
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
