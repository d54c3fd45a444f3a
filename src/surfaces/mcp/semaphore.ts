import { Stream } from '../../kernel/http/stream.ts'

/** Limits the number of concurrent holders. */
export function createSemaphore(maxHolders: number) {
  let holders = 0
  /** Returns the release function; undefined when no slot is free. */
  const tryAcquire = (): (() => void) | undefined => {
    if (holders >= maxHolders) return undefined
    holders += 1
    let isReleased = false
    return () => {
      if (!isReleased) holders -= 1
      isReleased = true
    }
  }
  return {
    tryAcquire,
    /** Returns the stream, which releases its slot at its end. */
    holdFor: (stream: Stream): Stream | undefined => {
      const release = tryAcquire()
      return (
        release &&
        new Stream({
          ...stream,
          keepalive: ': keepalive\n\n',
          chunks: releaseAtEnd(stream.chunks, release),
        })
      )
    },
  }
}

function releaseAtEnd<Piece>(
  chunks: AsyncIterable<Piece>,
  release: () => void,
): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = chunks[Symbol.asyncIterator]()
      return {
        next: async () => {
          const next = await source.next()
          if (next.done) release()
          return next
        },
        return: async () => {
          release()
          await source.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
