const maxRuns = 400
const minRunLength = 2
const maxRunLength = 8
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** In scripts without spaces, every short run of characters may be a name. */
export function listUnspacedRuns(normalized: string): string[] {
  const runs = [...normalized.matchAll(unspaced)].flatMap(([piece]) => {
    const characters = [...piece]
    return characters.flatMap((_, start) =>
      Array.from({ length: maxRunLength - minRunLength + 1 }, (_, more) =>
        characters.slice(start, start + minRunLength + more).join(''),
      ),
    )
  })
  const isRun = (run: string) => [...run].length >= minRunLength
  return [...new Set(runs)].filter(isRun).slice(0, maxRuns)
}
