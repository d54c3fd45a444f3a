/** Read when it is first wanted; a failed reading is tried anew. */
export function onceRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const kept: { value?: Promise<Value> } = {}
  return () => {
    kept.value ??= read().catch((error: unknown) => {
      delete kept.value
      throw error
    })
    return kept.value
  }
}
