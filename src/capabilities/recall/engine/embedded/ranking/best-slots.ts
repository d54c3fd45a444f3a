/** The slots with the largest scores above zero, the best first. */
export function bestSlots(scores: Float32Array, count: number): number[] {
  const heap = new Float32Array(count)
  let least = 0
  let held = 0
  for (const score of scores) {
    if (score <= least) continue
    if (held < count) held = rise(heap, held, score)
    else sink(heap, score)
    if (held === count) least = heap[0] as number
  }
  // Every one that is at least as good as the last of the best: of equals there may be too many.
  const from = held === 0 ? Number.POSITIVE_INFINITY : (heap[0] as number)
  const slots: number[] = []
  for (let slot = 0; slot < scores.length; slot++)
    if ((scores[slot] as number) >= from) slots.push(slot)
  return slots
    .toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || b - a)
    .slice(0, count)
}

/** Adds to a heap whose first is its least; gives how many it holds then. */
function rise(heap: Float32Array, held: number, score: number): number {
  let at = held
  while (at > 0) {
    const parent = (at - 1) >> 1
    if ((heap[parent] as number) <= score) break
    heap[at] = heap[parent] as number
    at = parent
  }
  heap[at] = score
  return held + 1
}

/** Puts a score in the place of the least. */
function sink(heap: Float32Array, score: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1
    if ((heap[child] as number) >= score) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = score
}
