/** Measures how long each step of a search takes; a step ends with `lap`. */
export function createLapTimer(clock: () => number) {
  const laps: { name: string; durationMs: number }[] = []
  let from = clock()
  return {
    laps,
    lap: (name: string) => {
      const now = clock()
      laps.push({ name, durationMs: now - from })
      from = now
    },
  }
}
