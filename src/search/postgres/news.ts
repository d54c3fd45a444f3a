/** That there is news, however much of it. */
export interface News {
  tell(): void
  /** When something was told since the last time. */
  next(): Promise<void>
}

export function createNews(): News {
  let told = Promise.withResolvers<void>()
  return {
    tell: () => told.resolve(),
    next: async () => {
      await told.promise
      told = Promise.withResolvers<void>()
    },
  }
}
