import { Stream } from '../../kernel/http/stream.ts'

/** So many at a time. */
export function createPlaces(most: number) {
  let taken = 0
  /** Gives how to leave, once; undefined when all are taken. */
  const take = (): (() => void) | undefined => {
    if (taken >= most) return undefined
    taken += 1
    let left = false
    return () => {
      if (!left) taken -= 1
      left = true
    }
  }
  return {
    take,
    /** The stream with a place that it leaves at its end. */
    hold: (stream: Stream): Stream | undefined => {
      const leave = take()
      return (
        leave &&
        new Stream({ ...stream, keepalive: ': keepalive\n\n', pieces: until(stream.chunks, leave) })
      )
    },
  }
}

function until<Piece>(pieces: AsyncIterable<Piece>, leave: () => void): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = pieces[Symbol.asyncIterator]()
      return {
        next: async () => {
          const next = await source.next()
          if (next.done) leave()
          return next
        },
        return: async () => {
          leave()
          await source.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
