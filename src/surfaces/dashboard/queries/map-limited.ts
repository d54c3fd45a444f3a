/** Maps the items in order, at most `limit` of them at the same time. The first failure ends it. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
