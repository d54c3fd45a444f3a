/** Does the work for all items, at most `width` at a time; the first error ends it. */
export async function eachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) await work(item, index)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}
