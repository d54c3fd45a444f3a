/** The best of the slots that are offered, each of them once; of equals the later. */
export interface BestSlots {
  /** What is less is not among them. */
  least(): number
  /** What is not above zero is nothing. */
  offer(slot: number, score: number): void
  /** The best first. */
  slots(): number[]
  /** The same, until the next is offered. */
  inAnyOrder(): Int32Array
}

/** A heap, so that its first is its least. */
export function createBestSlots(count: number): BestSlots {
  const scores = new Float64Array(count)
  const slots = new Int32Array(count)
  let held = 0

  const isBehind = (at: number, slot: number, score: number) => {
    const there = scores[at] as number
    return there < score || (there === score && (slots[at] as number) < slot)
  }
  const move = (from: number, to: number) => {
    scores[to] = scores[from] as number
    slots[to] = slots[from] as number
    return from
  }
  const rise = (slot: number, score: number) => {
    let at = held++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (isBehind(parent, slot, score)) break
      at = move(parent, at)
    }
    return at
  }
  const lesserChild = (at: number) => {
    const child = 2 * at + 1
    const other = child + 1
    if (other >= held) return child
    return isBehind(other, slots[child] as number, scores[child] as number) ? other : child
  }
  const sink = (slot: number, score: number) => {
    let at = 0
    while (2 * at + 1 < held) {
      const child = lesserChild(at)
      if (!isBehind(child, slot, score)) break
      at = move(child, at)
    }
    return at
  }
  return {
    least: () => (held === count ? (scores[0] as number) : 0),
    offer: (slot, score) => {
      if (score <= 0 || (held === count && !isBehind(0, slot, score))) return
      const at = held < count ? rise(slot, score) : sink(slot, score)
      scores[at] = score
      slots[at] = slot
    },
    slots: () =>
      Array.from({ length: held }, (_, at) => at)
        .sort((a, b) => (isBehind(a, slots[b] as number, scores[b] as number) ? 1 : -1))
        .map((at) => slots[at] as number),
    inAnyOrder: () => slots.subarray(0, held),
  }
}
