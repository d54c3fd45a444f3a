/** Does the work for all items, at most `width` at a time; the first error ends it. */
export async function eachBounded<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries()
  const lane = async () => {
    for (const [index, item] of waiting) await work(item, index)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
}
