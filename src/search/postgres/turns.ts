/** Work of which one run serves all who wait for it. */
export interface Turns {
  /** Joins the run that is under way, if there is one, else begins one. */
  join(): Promise<boolean>
  /** When nothing is under way. */
  settled(): Promise<void>
}

export function createTurns(run: () => Promise<boolean>): Turns {
  const state: { running?: Promise<boolean> | undefined } = {}
  const start = async () => {
    try {
      return await run()
    } finally {
      state.running = undefined
    }
  }
  return {
    join: () => {
      state.running ??= start()
      return state.running
    },
    settled: async () => {
      await state.running?.catch(() => undefined)
    },
  }
}
