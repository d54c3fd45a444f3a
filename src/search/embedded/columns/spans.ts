import { readSpans } from '../../validity.ts'
import { createGrowing, push } from '../growing.ts'
import type { Dictionary } from './dictionary.ts'

/** When memories are valid, by the codes of the column `validity`; each is read when one is asked for. */
export interface Spans {
  hold(code: number, at: number): boolean
}

export function createSpans({ words }: Dictionary): Spans {
  /** From and until in turn, and by code where its own end. */
  const times = createGrowing((length) => new Float64Array(length))
  const ends = createGrowing((length) => new Uint32Array(length))
  const readNext = () => {
    const written = words[ends.length] ?? null
    for (const [from, until] of written === null ? [] : readSpans(written)) {
      push(times, from)
      push(times, until)
    }
    push(ends, times.length)
  }
  return {
    hold: (code, at) => {
      while (ends.length <= code) readNext()
      const end = ends.values[code] as number
      for (let place = ends.values[code - 1] ?? 0; place < end; place += 2)
        if ((times.values[place] as number) <= at && at < (times.values[place + 1] as number))
          return true
      return false
    },
  }
}
