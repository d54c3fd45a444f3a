import { expect, test } from 'vitest'
import { rowsPerBlock } from '../block-layout.ts'
import type { NearestVectors } from '../nearest-neighbours.ts'
import { createScanMemory } from '../scan-kernel.ts'
import { createVectorSpace, type VectorSpace } from '../vector-space.ts'
import { createScanHelper, type ScanHelper } from './scan-helper.ts'
import {
  countDone,
  createBlockScan,
  createProgress,
  createScale,
  requestHelp,
  type SharedProgress,
  scanBackward,
} from './work-split.ts'

const dims = 16
const blocks = 9
const query = vectorOf(0.5)
const wanted = { mask: new Uint8Array(2 * blocks * rowsPerBlock).fill(1), count: 20 }
const restMs = 10_000
const onTrouble = (message: string) => {
  throw new Error(message)
}

test.each([0, 1, 5, blocks])(
  'what is near is found where the helper is gone after %d blocks',
  (most) => {
    const space = createSpace()
    const ends = createProgress()
    const helper: ScanHelper = {
      help: (scanned, count, writeQuestion) => {
        writeQuestion()
        requestHelp(ends, count)
        const scan = createBlockScan(scanned)
        const scanSome = (block: number) => {
          if (countDone(ends) === most) throw new Error('It is gone.')
          scan(block)
        }
        if (most === count) scanBackward(ends, scanSome)
        else expect(() => scanBackward(ends, scanSome)).toThrow()
        return ends
      },
    }

    expect(toAnswer(space.beginSearch(query, helper)(wanted))).toEqual(answerAlone(space))
    expect(countDone(ends)).toBe(most)
  },
)

test('the helper thread scans while the searching thread is busy', async () => {
  const space = createSpace()
  const { helper, requests } = watch(
    createScanHelper({ onWarning: onTrouble, idleTimeoutMs: restMs }),
  )

  const find = space.beginSearch(query, helper)
  await expect.poll(() => requests.map(countDone)).toEqual([blocks])

  expect(toAnswer(find(wanted))).toEqual(answerAlone(space))
})

test('the helper scans new blocks and other spaces', async () => {
  const space = createSpace()
  const { helper, requests } = watch(
    createScanHelper({ onWarning: onTrouble, idleTimeoutMs: restMs }),
  )
  const searchWith = async (space: VectorSpace, count: number) => {
    const find = space.beginSearch(query, helper)
    await expect.poll(() => requests.map(countDone).at(-1)).toBe(count)
    return toAnswer(find(wanted))
  }
  await searchWith(space, blocks)

  fill(space, blocks, 2 * blocks)
  expect(await searchWith(space, 2 * blocks)).toEqual(answerAlone(space))
  const other = createSpace(1)
  expect(await searchWith(other, blocks)).toEqual(answerAlone(other))
  expect(answerAlone(other)).not.toEqual(answerAlone(space))
})

test('a busy helper gets no request', () => {
  const space = createSpace()
  const { helper, requests } = watch(
    createScanHelper({ onWarning: onTrouble, idleTimeoutMs: restMs }),
  )
  space.beginSearch(vectorOf(7), helper)

  const find = space.beginSearch(query, helper)

  expect(requests).toHaveLength(1)
  expect(toAnswer(find(wanted))).toEqual(answerAlone(space))
})

test('an idle helper thread ends and is started again on demand', async () => {
  const space = createSpace()
  const { helper, requests } = watch(createScanHelper({ onWarning: onTrouble, idleTimeoutMs: 1 }))
  const threads = () => {
    space.beginSearch(query, helper)
    return new Set(requests).size
  }

  await expect.poll(threads).toBeGreaterThan(2)
})

test('a failed helper is reported once and disabled', async () => {
  const failure = Promise.withResolvers<string>()
  const helper = createScanHelper({ onWarning: failure.resolve, idleTimeoutMs: restMs })
  const space = createSpace()
  helper.help({ memory: createScanMemory(1), stride: dims, scale: createScale() }, blocks, () => {})

  expect(await failure.promise).toContain('one thread')
  const { requests, ...watched } = watch(helper)
  expect(toAnswer(space.beginSearch(query, watched.helper)(wanted))).toEqual(answerAlone(space))
  expect(requests).toEqual([])
})

/** Records the progress of the helper. */
function watch(watched: ScanHelper) {
  const requests: SharedProgress[] = []
  const helper: ScanHelper = {
    help: (...wanted) => {
      const ends = watched.help(...wanted)
      if (ends) requests.push(ends)
      return ends
    },
  }
  return { helper, requests }
}

function createSpace(seed = 0): VectorSpace {
  const space = createVectorSpace(dims)
  fill(space, 0, blocks, seed)
  return space
}

function fill(space: VectorSpace, from: number, to: number, seed = 0): void {
  for (let slot = from * rowsPerBlock; slot < to * rowsPerBlock; slot++)
    space.put(slot, 0, vectorOf(slot + seed))
}

function vectorOf(seed: number): Float32Array {
  return Float32Array.from({ length: dims }, (_, at) => Math.sin(seed * (at + 1)))
}

function answerAlone(space: VectorSpace) {
  return toAnswer(space.search(query, wanted))
}

function toAnswer({ nearest, cosinesOf }: NearestVectors) {
  return { nearest, cosines: cosinesOf(nearest.whole) }
}
