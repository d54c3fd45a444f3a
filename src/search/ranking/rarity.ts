/** What BM25 calls inverse document frequency: how much it says that a text holds what so many of all hold. */
export function rarityOf({
  holding,
  of,
}: {
  readonly holding: number
  readonly of: number
}): number {
  return Math.log(1 + (of - holding + 0.5) / (holding + 0.5))
}
