/** The k best slots, each once; higher slots win ties. */
export interface TopK {
  /** The score that a slot must exceed. */
  threshold(): number
  /** Scores must be positive. */
  push(slot: number, score: number): void
  /** Best first. */
  slots(): number[]
  /** Unordered; valid until the next push. */
  unordered(): Int32Array
}

/** A binary min-heap. */
export function createTopK(count: number): TopK {
  const scores = new Float64Array(count)
  const slots = new Int32Array(count)
  let size = 0

  const ranksBelow = (index: number, slot: number, score: number) => {
    const current = scores[index] as number
    return current < score || (current === score && (slots[index] as number) < slot)
  }
  const move = (from: number, to: number) => {
    scores[to] = scores[from] as number
    slots[to] = slots[from] as number
    return from
  }
  const siftUp = (slot: number, score: number) => {
    let index = size++
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (ranksBelow(parent, slot, score)) break
      index = move(parent, index)
    }
    return index
  }
  const minChild = (index: number) => {
    const child = 2 * index + 1
    const other = child + 1
    if (other >= size) return child
    return ranksBelow(other, slots[child] as number, scores[child] as number) ? other : child
  }
  const siftDown = (slot: number, score: number) => {
    let index = 0
    while (2 * index + 1 < size) {
      const child = minChild(index)
      if (!ranksBelow(child, slot, score)) break
      index = move(child, index)
    }
    return index
  }
  return {
    threshold: () => (size === count ? (scores[0] as number) : 0),
    push: (slot, score) => {
      if (score <= 0 || (size === count && !ranksBelow(0, slot, score))) return
      const index = size < count ? siftUp(slot, score) : siftDown(slot, score)
      scores[index] = score
      slots[index] = slot
    },
    slots: () =>
      Array.from({ length: size }, (_, index) => index)
        .sort((a, b) => (ranksBelow(a, slots[b] as number, scores[b] as number) ? 1 : -1))
        .map((index) => slots[index] as number),
    unordered: () => slots.subarray(0, size),
  }
}
