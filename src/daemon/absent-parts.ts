/** What recall can do without: nobody links knowledge yet. */
export function createAbsentParts() {
  return { graph: { search: async () => [] } }
}
